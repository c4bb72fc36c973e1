// A synthetic tool-and-agent trace in the shape of Mooncake's tool-agent trace.
// Made from nothing but published figures (23,608 requests an hour, 8,596 tokens in and 182 out on average, 512-token
// blocks, templates of 12 and of 5 shared blocks with 3-50 tokens of answer). Our own; MIT. Deterministic.
//   node generate/toolagent-like.mjs [seed=20261122] > toolagent-like.jsonl
// A line: [timestamp_ms, input_tokens, output_tokens, system_blocks, [hash ids], session or null]
const seed = Number(process.argv[2] ?? 20261122)
const minutes = 20
let s = seed >>> 0
const random = () => {
  s = (s + 0x6d2b79f5) >>> 0
  let t = s
  t = Math.imul(t ^ (t >>> 15), t | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
const exponential = (mean) => -mean * Math.log(1 - random())
const lognormal = (median, sigma) => median * Math.exp(sigma * normal())
const between = (low, high) => low + Math.floor(random() * (high - low + 1))
const zipf = (n) => {
  let total = 0
  for (let i = 1; i <= n; i++) total += 1 / i
  let left = random() * total
  for (let i = 1; i <= n; i++) if ((left -= 1 / i) < 0) return i - 1
  return n - 1
}
let next = 0
const fresh = (n) => Array.from({ length: n }, () => next++)
const rows = []
const push = (at, out, system, ids, session, last = between(40, 512)) =>
  rows.push([Math.round(at), (ids.length - 1) * 512 + last, Math.max(1, Math.round(out)), system, ids, session])

// Two templates that a program fills in: one request each, a long shared system prompt, a short answer.
const planner = fresh(12)
const extractor = fresh(5)
// Agents: each app has a system prompt with its tools; a session grows by tool results, step by step.
const apps = Array.from({ length: 20 }, () => fresh(between(5, 20)))
const until = minutes * 60_000
for (let at = exponential(420); at < until; at += exponential(420)) push(at, lognormal(12, 1), 12, [...planner, ...fresh(between(1, 5))], null)
for (let at = exponential(800); at < until; at += exponential(800)) push(at, lognormal(20, 0.2), 5, [...extractor, ...fresh(between(1, 2))], null)
let session = 0
for (let start = exponential(2000); start < until; start += exponential(2000)) {
  const system = apps[zipf(apps.length)]
  let ids = [...system, ...fresh(between(1, 3))]
  const steps = 1 + Math.floor(exponential(6))
  const name = `s${session++}`
  let at = start
  for (let step = 0; step < steps && at < until; step++) {
    push(at, lognormal(300, 0.7), system.length, ids, name)
    // The last block was not full: what follows it is hashed anew.
    ids = [...ids.slice(0, -1), ...fresh(between(1, 4))]
    at += lognormal(9_000, 0.7)
  }
}
rows.sort((a, b) => a[0] - b[0])
for (const row of rows) console.log(JSON.stringify(row))
