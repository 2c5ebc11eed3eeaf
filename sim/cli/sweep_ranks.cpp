#include "cli/sweep_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <thread>

#include "base/error.hpp"
#include "cli/sweep_crew.hpp"

#ifdef JOULECAST_WITH_MPI
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>
#endif

namespace joulecast::cli {
namespace {

/// A whole number of the environment; 0 where there is none.
int number_of(const char* name) {
  const char* text = std::getenv(name);
  int value = 0;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), value);
  return value;
}

/// How many processes the launcher started: Open MPI, MPICH and Intel MPI, srun with PMIx.
int size_of_launcher() {
  if (const int size = number_of("OMPI_COMM_WORLD_SIZE"); size > 0) return size;
  if (const int size = number_of("PMI_SIZE"); size > 0) return size;
  return std::getenv("PMIX_RANK") != nullptr ? std::max(1, number_of("SLURM_STEP_NUM_TASKS")) : 1;
}

}  // namespace

int rank_of_launcher() {
  if (size_of_launcher() < 2) return 0;
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return number_of(name);
  }
  return 0;
}

#ifdef JOULECAST_WITH_MPI

namespace {

/// Tags: "N" from a rank with N places, then "POINT\n..." of what a point gave, which leaves a place; a point to run.
constexpr int kResult = 1, kPoint = 2;
constexpr std::int64_t kNoMore = -1;

/// A message is looked for and not waited for: MPI's own waiting takes a core.
void nap() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

bool waits(int source, int tag, MPI_Status& status) {
  int there = 0;
  MPI_Iprobe(source, tag, MPI_COMM_WORLD, &there, &status);
  return there != 0;
}

void send_point(int rank, std::int64_t point) { MPI_Send(&point, 1, MPI_INT64_T, rank, kPoint, MPI_COMM_WORLD); }

std::string receive_text(const MPI_Status& status) {
  int length = 0;
  MPI_Get_count(&status, MPI_CHAR, &length);
  std::string text(static_cast<std::size_t>(length), '\0');
  MPI_Recv(text.data(), length, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return text;
}

void send_text(const std::string& text) { MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, kResult, MPI_COMM_WORLD); }

}  // namespace

Ranks::Ranks() {
  if (size_of_launcher() < 2) return;
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Ranks::~Ranks() {
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (initialised != 0) MPI_Finalize();
}

std::vector<std::string> Ranks::all(const std::string& said) const {
  if (!several()) return {said};
  const auto count = static_cast<std::size_t>(size_);
  const int own = static_cast<int>(said.size());
  std::vector<int> lengths(count), starts(count, 0);
  MPI_Allgather(&own, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD);
  for (std::size_t r = 1; r < count; ++r) starts[r] = starts[r - 1] + lengths[r - 1];
  std::string together(static_cast<std::size_t>(starts.back() + lengths.back()), '\0');
  MPI_Allgatherv(said.data(), own, MPI_CHAR, together.data(), lengths.data(), starts.data(), MPI_CHAR, MPI_COMM_WORLD);
  std::vector<std::string> all;
  for (std::size_t r = 0; r < count; ++r) all.push_back(together.substr(static_cast<std::size_t>(starts[r]), static_cast<std::size_t>(lengths[r])));
  return all;
}

void Ranks::hand_out(const std::vector<std::size_t>& points, int threads, const Work& work, const std::function<bool()>& stopped,
                     const std::function<void(std::size_t, const std::string&)>& done) const {
  Crew crew(threads, work);
  std::deque<std::size_t> coming(points.begin(), points.end());
  std::vector<int> places;  // ranks that could run a point now, one entry a place
  std::size_t open = points.size();
  int met = 1;  // ranks that have said how many places they have
  while (open > 0 || met < size_) {
    if (stopped()) {
      open -= coming.size();
      coming.clear();
    }
    while (!coming.empty() && crew.idle() > 0) {
      crew.give(coming.front());
      coming.pop_front();
    }
    bool idle = true;
    MPI_Status status;
    while (waits(MPI_ANY_SOURCE, kResult, status)) {
      idle = false;
      const std::string text = receive_text(status);
      const std::size_t end = text.find('\n');
      std::size_t number = 0;
      std::from_chars(text.data(), text.data() + std::min(end, text.size()), number);
      if (end == std::string::npos) {
        places.insert(places.end(), number, status.MPI_SOURCE);
        ++met;
        continue;
      }
      places.push_back(status.MPI_SOURCE);
      done(number, text.substr(end + 1));
      --open;
    }
    while (!places.empty() && !coming.empty()) {
      send_point(places.back(), static_cast<std::int64_t>(coming.front()));
      places.pop_back();
      coming.pop_front();
    }
    while (auto finished = crew.take()) {
      idle = false;
      done(finished->first, finished->second);
      --open;
    }
    if (idle) nap();
  }
  for (int r = 1; r < size_; ++r) send_point(r, kNoMore);
}

void Ranks::take_part(int threads, const Work& work) const {
  Crew crew(threads, work);
  send_text(fmt::format("{}", threads));
  while (true) {
    bool idle = true;
    MPI_Status status;
    if (waits(0, kPoint, status)) {
      idle = false;
      std::int64_t point = 0;
      MPI_Recv(&point, 1, MPI_INT64_T, 0, kPoint, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (point == kNoMore) return;
      crew.give(static_cast<std::size_t>(point));
    }
    while (auto finished = crew.take()) {
      idle = false;
      send_text(fmt::format("{}\n{}", finished->first, finished->second));
    }
    if (idle) nap();
  }
}

void Ranks::abort(int code) const {
  if (several()) MPI_Abort(MPI_COMM_WORLD, code);
  std::exit(code);
}

#else

Ranks::Ranks() {
  if (size_of_launcher() < 2) return;
  throw UserError({}, fmt::format("{} processes were started by a launcher, and this joulecast was built without MPI", size_of_launcher()),
                  "install libopenmpi-dev, configure again (cmake -DJOULECAST_MPI=ON) and build, or use job arrays: `joulecast sweep --help`");
}

Ranks::~Ranks() = default;

std::vector<std::string> Ranks::all(const std::string& said) const { return {said}; }

void Ranks::hand_out(const std::vector<std::size_t>&, int, const Work&, const std::function<bool()>&,
                     const std::function<void(std::size_t, const std::string&)>&) const {
  JOULECAST_BUG("points were handed out without ranks");
}

void Ranks::take_part(int, const Work&) const { JOULECAST_BUG("points were taken without ranks"); }

void Ranks::abort(int code) const { std::exit(code); }

#endif

}  // namespace joulecast::cli
