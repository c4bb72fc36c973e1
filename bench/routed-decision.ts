/**
 * Compares Decisions over HTTP with a hand-written pass-through on the same host, which makes the same upstream call, with
 * 1 to 64 connections. Compare ratios, because absolute times depend on the machine.
 *
 * Usage: node bench/routed-decision.ts [rounds] [seconds per round] [requests of warm-up]
 */
import { compareHosts, readRounds } from "./load/compareHosts.ts"

await compareHosts(
  [{ workload: "decision", throughput: "decisionThroughput", cpu: "decisionCpu" }],
  readRounds(process.argv.slice(2).map(Number))
)
