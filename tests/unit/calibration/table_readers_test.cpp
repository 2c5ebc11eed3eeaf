// Rows that are used and dropped, by format; what is refused.
#include <catch2/catch.hpp>

#include "base/error.hpp"
#include "calibration/collective_table.hpp"
#include "calibration/gemm_table.hpp"
#include "unit/calibration/tables.hpp"

using namespace joulecast;
using namespace joulecast::calibration;
using hardware::Collective;

namespace {

const std::string kGemmHeader = "framework,version,device,op_name,kernel_source,gemm_dtype,m,n,k,latency\n";

std::string gemm_fault(const std::string& text) {
  const TableFolder folder;
  TableSource source;
  try {
    read_gemm_table(folder.write("t.csv", text), {}, source);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

CollectiveRows collectives(const std::string& name, const std::string& text, TableSource& source, std::int64_t gpus = 0) {
  const TableFolder folder;
  CollectiveRows rows;
  read_collective_table(folder.write(name, text), gpus, rows, source);
  return rows;
}

}  // namespace

TEST_CASE("an aiconfigurator GEMM table: dtypes, sizes and repeats are dropped by name, FLOP and bytes of what stays") {
  const TableFolder folder;
  TableSource source = table_source(folder.write("gemm.csv", kGemmHeader + "V,1,G,gemm,x,bfloat16,128,4096,2048,0.050\n"
                                                                           "V,1,G,gemm,x,fp8,128,4096,2048,0.030\n"
                                                                           "V,1,G,gemm,x,bfloat16,128,4096,2048,0.050\n"
                                                                           "V,1,G,gemm,x,bfloat16,16,4096,2048,0.012\n"
                                                                           "V,1,G,gemm,x,float16,64,1024,65536,0.060\n"
                                                                           "V,1,G,gemm,x,bfloat16,32768,4096,4096,3.5\n"));
  const auto rows = read_gemm_table(source.path, {}, source);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].seconds == Approx(50e-6));
  CHECK(rows[0].flops() == 2.0 * 128 * 4096 * 2048);
  CHECK(rows[0].bytes() == 2.0 * (128 * 2048 + 2048 * 4096 + 128 * 4096));
  CHECK(source.used == 1);
  CHECK_THAT(source.text(), Catch::Contains("1 rows used; dropped: 1 of dtype fp8, 1 below 30 us, 1 of widths outside 1024 .. 32768, 1 of more than "
                                            "8192 rows, 1 repeated"));
  CHECK(source.sha256.size() == 64);
}

TEST_CASE("a vidur mlp.csv: four GEMMs a row, cut by tensor parallelism") {
  // 64 heads and 8 KV heads of 128, hidden 8192, inner 28672 gated, at TP 2.
  const TableFolder folder;
  TableSource source;
  const auto rows = read_gemm_table(folder.write("mlp.csv",
                                                 "time_stats.attn_pre_proj.median,time_stats.attn_post_proj.median,time_stats.mlp_up_proj.median,"
                                                 "time_stats.mlp_down_proj.median,n_head,n_kv_head,n_embd,n_expanded_embd,use_gated_mlp,num_tokens,"
                                                 "num_tensor_parallel_workers\n0.1,0.2,0.3,0.4,64,8,8192,28672,True,512,2\n"),
                                    {}, source);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0] == GemmRow{512, 5120, 8192, 0.1e-3});
  CHECK(rows[1] == GemmRow{512, 8192, 4096, 0.2e-3});
  CHECK(rows[2] == GemmRow{512, 8192, 14336, 0.4e-3});
  CHECK(rows[3] == GemmRow{512, 28672, 8192, 0.3e-3});
}

TEST_CASE("NCCL tables: message_size counts elements of 2 bytes, message_bytes bytes; several times of a size give their median") {
  TableSource source;
  const std::string rows =
      "T,1,G,all_gather,NCCL,half,4,512,0.010\nT,1,G,alltoall,NCCL,half,4,512,0.020\nT,1,G,all_gather,NCCL,int8,4,512,0.030\n"
      "T,1,G,all_gather,NCCL,half,4,512,0.012\nT,1,G,scan,NCCL,half,4,512,0.012\n";
  const auto by_elements =
      collectives("nccl.csv", "framework,version,device,op_name,kernel_source,nccl_dtype,num_gpus,message_size,latency\n" + rows, source);
  REQUIRE(by_elements.count({Collective::all_gather, 4}) == 1);
  const auto& gather = by_elements.at({Collective::all_gather, 4});
  REQUIRE(gather.size() == 1);
  CHECK(gather[0].bytes == 1024);
  CHECK(gather[0].seconds == Approx(11e-6));
  CHECK(by_elements.count({Collective::all_to_all, 4}) == 1);
  CHECK(source.used == 3);
  CHECK_THAT(source.text(), Catch::Contains("1 of dtype int8, 1 of operation scan"));
  const auto by_bytes = collectives("nccl.csv",
                                    "framework,version,device,op_name,kernel_source,nccl_dtype,num_gpus,message_size,latency,message_bytes\n"
                                    "T,1,G,all_reduce,NCCL,half,8,512,0.010,1024\n",
                                    source);
  CHECK(by_bytes.at({Collective::all_reduce, 8})[0].bytes == 1024);
}

TEST_CASE("nccl-tests as CSV: ns, GPUs from the file's name or given; vidur: rows of one node") {
  TableSource source;
  const std::string text = "size(B),count,type,time(ns),busbw(GB/s),time(ns),busbw(GB/s)\n1048576,262144,float,92790,19.78,92150,19.91\n";
  CHECK(collectives("AR_X_GPU8.csv", text, source).at({Collective::all_reduce, 8})[0].seconds == Approx(92.79e-6));
  CHECK(collectives("reduce.csv", text, source, 4).at({Collective::all_reduce, 4})[0].bytes == 1048576);
  CHECK_THROWS_WITH(collectives("reduce.csv", text, source), Catch::Contains("how many GPUs") && Catch::Contains("8="));
  TableSource vidur;
  const auto rows =
      collectives("all_reduce.csv", ",time_stats.all_reduce.median,num_workers,size,devices_per_node\n0,0.05,4,4096,4\n1,0.5,8,4096,4\n", vidur);
  CHECK(rows.size() == 1);
  CHECK(rows.at({Collective::all_reduce, 4})[0].bytes == 4096);
  CHECK_THAT(vidur.text(), Catch::Contains("1 over several nodes"));
  TableSource send;
  CHECK(collectives("send_recv.csv", ",time_stats.send_recv.median,num_workers,size,devices_per_node\n0,0.05,2,4096,2\n", send)
            .count({Collective::send, 2}) == 1);
}

TEST_CASE("faults name file, line and column, and the formats that are known") {
  CHECK_THAT(gemm_fault(kGemmHeader + "V,1,G,gemm,x,bfloat16,128,4096,2048,fast\n"), Catch::Contains(":2:") && Catch::Contains("\"fast\""));
  CHECK_THAT(gemm_fault(kGemmHeader + "V,1,G,gemm,x,bfloat16,128,0,2048,0.05\n"), Catch::Contains("expected a number above 0"));
  CHECK_THAT(gemm_fault(kGemmHeader + "V,1,G,gemm,x,bfloat16,12.5,4096,2048,0.05\n"), Catch::Contains("whole number"));
  CHECK_THAT(gemm_fault("a,b\n1,2\n"), Catch::Contains("no GEMM table known here") && Catch::Contains("vidur"));
  CHECK_THAT(gemm_fault(""), Catch::Contains("empty"));
  TableSource source;
  CHECK_THROWS_WITH(collectives("x.csv", "a,b\n1,2\n", source), Catch::Contains("no table of collectives known here"));
  CHECK_THROWS_WITH(collectives("GPU8.csv", "size(B),count,type,time(ns),busbw\n1048576,1,float,abc,1\n", source),
                    Catch::Contains(":2:17") && Catch::Contains("\"abc\""));
  CHECK_THROWS_WITH(collectives("GPU8.csv", "size(B),count,type,time(ns),busbw\n1048576,1\n", source), Catch::Contains("less than five cells"));
}
