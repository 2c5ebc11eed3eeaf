# docker build -t joulecast . && docker run --rm -v "$PWD:/work" joulecast run mine.toml
# Scenarios that are shipped lie in /usr/share/joulecast/scenarios. Results go to runs/ in the mounted folder: give --user "$(id -u):$(id -g)" so that they are yours.
FROM debian:bookworm-slim AS build
# As program_packages of tools/common.sh.
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    g++ cmake ninja-build libtomlplusplus-dev libhdf5-dev libcli11-dev libfmt-dev nlohmann-json3-dev libssl-dev zlib1g-dev \
    libeigen3-dev libboost-dev coinor-libclp-dev libhowardhinnant-date-dev pkg-config tzdata libjs-dygraphs libjs-chart.js \
    dpkg-dev file && rm -rf /var/lib/apt/lists/*
COPY . /source
WORKDIR /source
RUN cmake --preset release && cmake --build build/release \
    && cd build/release && cpack -G DEB -D CPACK_COMPONENTS_ALL=program -B /package

FROM debian:bookworm-slim
COPY --from=build /package/joulecast_*.deb /tmp/
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /tmp/joulecast_*.deb \
    && rm -rf /var/lib/apt/lists/* /tmp/joulecast_*.deb \
    && useradd --create-home --uid 1000 joulecast && install -d -o joulecast /work
USER joulecast
WORKDIR /work
ENTRYPOINT ["joulecast"]
CMD ["--help"]
