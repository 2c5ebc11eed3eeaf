#include "traces/byte_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

namespace joulecast::traces {
namespace {

constexpr unsigned kBuffer = 1U << 17;

}  // namespace

void ByteFile::Close::operator()(gzFile_s* file) const { gzclose_r(file); }

ByteFile::ByteFile(const std::string& path, const Place& written_at) : name_(path), file_(gzopen(path.c_str(), "rb")) {
  if (!file_) throw UserError(written_at, fmt::format("cannot read \"{}\": {}", path, std::strerror(errno)), "make the file readable");
  gzbuffer(file_.get(), kBuffer);
}

std::size_t ByteFile::read(char* to, std::size_t size) {
  const int got = gzread(file_.get(), to, static_cast<unsigned>(size));
  if (got > 0) return static_cast<std::size_t>(got);
  int fault = Z_OK;
  const char* words = gzerror(file_.get(), &fault);
  if (fault == Z_OK || fault == Z_STREAM_END) return 0;
  if (fault == Z_ERRNO) {
    throw UserError({name_, 0, 0}, fmt::format("the file cannot be read on: {}", std::strerror(errno)), "check the disk and the file");
  }
  if (fault == Z_BUF_ERROR) {
    throw UserError({name_, 0, 0}, "the compressed file breaks off", "fetch or copy it again");
  }
  throw UserError({name_, 0, 0}, fmt::format("the compressed file is damaged: {}", words), "fetch or copy it again");
}

void ByteFile::rewind() { gzrewind(file_.get()); }

}  // namespace joulecast::traces
