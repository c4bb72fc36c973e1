/**
 * Compares chats with a hand-written pass-through on the same host: answered whole, streamed with an event a millisecond,
 * and streamed as fast as possible; with 1 to 64 at once. Streams count in events. Compare ratios, because absolute figures
 * depend on the machine.
 *
 * Usage: node bench/chat.ts [rounds] [seconds per round] [requests of warm-up]
 */
import { compareHosts, readRounds } from "./load/compareHosts.ts"

await compareHosts(
  [
    { workload: "chat", throughput: "chatThroughput", cpu: "chatCpu" },
    { workload: "apart", throughput: "apartThroughput", cpu: "apartCpu" },
    { workload: "together", throughput: "togetherThroughput", cpu: "togetherCpu" }
  ],
  readRounds(process.argv.slice(2).map(Number))
)
