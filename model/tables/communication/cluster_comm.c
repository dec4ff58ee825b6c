/* model/tables/communication/cluster_comm.c - tables cluster_communication and cluster_links: collectives and links as
 * the communication library measured them. */
#include "model/tables/communication/columns.h"
#include "model/tables/imported_rows.h"

static const char no_comm[] =
    "No communication of a cluster. torch_npu: profiler_level=ProfilerLevel.Level1 or Level2 (communication.json, "
    "communication_matrix.json); MindSpore: mindspore.Profiler(profile_communication=True)";

/* ---- cluster_communication ---- */

static const tt_column operation_columns[] = {
    COL("rank", "Rank", COUNT, 0, "rank"),
    COL("step", "Step", STRING, 0, "number of the step"),
    COL("kind", "Kind", STRING, 2, "collective, p2p"),
    COL("group", "Group", STRING, 3, "communicator"),
    COL("name", "Operation", STRING, 0, "name of the operation"),
    COL("elapse_ns", "Elapsed", DURATION, 0, "from its start to its end"),
    COL("transit_ns", "Transit", DURATION, 0, "data moved"),
    COL("wait_ns", "Max wait", DURATION, 0, "waited for other ranks, synchronisation included"),
    COL("synchronization_ns", "Synchronisation", DURATION, 2, "waited for them before the first transfer"),
    COL("idle_ns", "Idle", DURATION, 1, "elapsed - transit - wait"),
    COL("wait_ratio_pct", "Wait %", PERCENT, 1, "wait / (wait + transit)"),
    COL("synchronization_ratio_pct", "Sync %", PERCENT, 3, "synchronisation / (synchronisation + transit)"),
    COL("size_bytes", "Size", BYTES, 0, "bytes sent over all links, each link once"),
};

const tt_table_desc tt_table_cluster_communication = {
    .id = "cluster_communication",
    .title = "Cluster communication",
    .meaning = "collectives of each rank: transfer, wait, idle",
    .cols = operation_columns,
    .n_cols = COUNT_OF(operation_columns),
    .flags = TT_TABLE_BROUGHT,
    .note = no_comm,
    .compute = tt_imported_rows,
};

/* ---- cluster_links ---- */

static const tt_column link_columns[] = {
    [TT_CLUSTER_LINKS_RANK] = COL("rank", "Rank", COUNT, 0, "rank that measured it"),
    [TT_CLUSTER_LINKS_STEP] = COL("step", "Step", STRING, 0, "number of the step"),
    [TT_CLUSTER_LINKS_KIND] = COL("kind", "Kind", STRING, 3, "collective, p2p"),
    [TT_CLUSTER_LINKS_OP] = COL("op", "Operation", STRING, 2, "operations that used the link, unknown = all"),
    [TT_CLUSTER_LINKS_GROUP] = COL("group", "Group", STRING, 3, "communicator"),
    [TT_CLUSTER_LINKS_SRC] = COL("src", "From", COUNT, 0, "rank that sends"),
    [TT_CLUSTER_LINKS_DST] = COL("dst", "To", COUNT, 0, "rank that receives"),
    [TT_CLUSTER_LINKS_TRANSPORT] =
        COL("transport", "Transport", STRING, 0, "kind of the link: HCCS, PCIE, RDMA, SDMA, LOCAL"),
    [TT_CLUSTER_LINKS_SIZE_BYTES] = COL("size_bytes", "Size", BYTES, 0, "bytes sent"),
    [TT_CLUSTER_LINKS_TRANSIT] = COL("transit_ns", "Transit", DURATION, 0, "data moved"),
    [TT_CLUSTER_LINKS_BANDWIDTH_GBPS] =
        COL("bandwidth_gbps", "GB/s", NUMBER, 0, "size / transit, in 10^9 bytes per second"),
};

const tt_table_desc tt_table_cluster_links = {
    .id = "cluster_links",
    .title = "Cluster links",
    .meaning = "what each link between ranks carried, and how fast",
    .cols = link_columns,
    .n_cols = COUNT_OF(link_columns),
    .flags = TT_TABLE_BROUGHT,
    .note = no_comm,
    .compute = tt_imported_rows,
};
