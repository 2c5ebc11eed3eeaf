#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "report/point_json.hpp"

namespace joulecast::cli {

/// The ranks that a launcher (mpirun, srun) started this program as. Without a launcher there is one, and MPI is not touched.
class Ranks {
 public:
  /// Joins the others. Throws UserError where the program was built without MPI and a launcher started several.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool several() const { return size_ > 1; }

  /// What each rank says, by rank; all must call it.
  std::vector<std::string> all(const std::string& said) const;

  /// Runs a point and returns what is sent of it; "" where it was stopped. Called from several threads.
  using Work = std::function<std::string(std::size_t)>;
  /// On rank 0: hands points out, to its own threads and to the other ranks, and calls `done` with what each gave. A call that throws ends all ranks.
  void hand_out(const std::vector<std::size_t>& points, int threads, const Work& work, const std::function<bool()>& stopped,
                const std::function<void(std::size_t, const std::string&)>& done) const;
  /// On any other rank: runs what it is handed until there is no more.
  void take_part(int threads, const Work& work) const;
  /// Ends the program on all ranks at once.
  [[noreturn]] void abort(int code) const;

 private:
  int rank_ = 0, size_ = 1;
};

/// The rank that the launcher's environment names, without touching MPI; 0 without one. For messages that one rank alone prints.
int rank_of_launcher();

}  // namespace joulecast::cli
