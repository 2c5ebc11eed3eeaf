#include "report/requests_csv.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <sstream>

using namespace joulecast;
using namespace joulecast::report;

TEST_CASE("a row a request, absent cells empty") {
  auto table = std::make_shared<serving::RequestTable>();
  table->add({Time{1'500'000'000}, 100, 5});
  table->add({Time{2'000'000'001}, 7, 1});
  table->add({Time{3'000'000'000}, 90000, 9});
  table->add({Time{4'000'000'000}, 10, 9});
  auto& done = (*table)[0].outcome;
  done.queued_until = Time{1'600'000'000};
  done.first_token = Time{1'750'000'000};
  done.last_token = Time{2'150'000'000};
  done.joules = FixedEnergy::from_units(12.5);
  done.replica = 3;
  done.preemptions = 1;
  done.fate = serving::Fate::completed;
  auto& one = (*table)[1].outcome;
  one.queued_until = Time{2'000'000'001};
  one.first_token = one.last_token = Time{2'100'000'001};
  one.replica = 0;
  one.fate = serving::Fate::completed;
  (*table)[2].outcome.fate = serving::Fate::rejected_over_context;
  auto& running = (*table)[3].outcome;
  running.queued_until = Time{4'000'000'000};
  running.first_token = Time{4'100'000'000};
  running.replica = 1;
  running.fate = serving::Fate::running;
  scenario::Result result;
  result.requests = {{"chat", table}, {"a,b", std::make_shared<serving::RequestTable>()}};
  result.pools.resize(2);
  result.pools[0].name = "small";
  result.pools[1].name = "large";
  result.pools[1].accuracy = 0.836;
  result.pool_of_replica = {0, 0, 1, 1};
  result.believed_joules = {{11.25, std::nan(""), std::nan(""), std::nan("")}, {}};
  std::ostringstream out;
  write_requests_csv(result, out);
  CHECK(out.str() ==
        "traffic,number,arrival_s,input_tokens,output_tokens,fate,queue_s,ttft_s,tpot_s,e2e_s,joules,replica,preemptions,pool,accuracy,believed_"
        "joules\n"
        "chat,0,1.500000000,100,5,completed,0.100000000,0.250000000,0.1,0.650000000,12.5,3,1,large,0.836,11.25\n"
        "chat,1,2.000000001,7,1,completed,0.000000000,0.100000000,,0.100000000,,0,0,small,,\n"
        "chat,2,3.000000000,90000,9,rejected_over_context,,,,,,,0,,,\n"
        "chat,3,4.000000000,10,9,running,0.000000000,0.100000000,,,,1,0,small,,\n");
}
