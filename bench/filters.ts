/**
 * Measures what content filters cost: a chat in process without filters, with those of other callers, and with all detectors
 * and a pattern, which find nothing or redact; and how long a filter of answers holds a stream back. Compare ratios,
 * because absolute times depend on the machine.
 *
 * Usage: node bench/filters.ts [rounds] [chats per round]
 */
import { builtinDetectors } from "../packages/core/src/engine/filters/builtinDetectors.ts"
import type { ContentFilter } from "../packages/core/src/engine/filters/FilterRule.ts"
import { Placeholders } from "../packages/core/src/engine/filters/Placeholders.ts"
import { AnswerScreen } from "../packages/core/src/routing/filters/AnswerScreen.ts"
import { median, quantile } from "./quantile.ts"
import { findWorst, report } from "./goals.ts"
import { type FilterUse, startTalker } from "./inMemoryTalker.ts"

const [rounds = 15, chats = 400] = process.argv.slice(2).map(Number)

const prose =
  "Please look at the order that came on Monday: two of the lamps were broken, and the third one was missing. " +
  "The customer wrote again at 10:30 and asks for 24 new ones by the end of 2026, in version 3.2.1 of the catalog. "
const fill = (length: number, more = ""): string =>
  (prose.repeat(Math.ceil(length / prose.length)) + more).slice(-length)

interface Way {
  readonly name: string
  readonly ask: (content: string) => Promise<unknown>
  readonly content: string
  /** Microseconds of each round, and of each chat. Those of the CPU depend less on other work of the machine. */
  readonly cpu: Array<number>
  readonly times: Array<number>
}

const talkers = {
  none: await startTalker("none"),
  "of others": await startTalker("of others"),
  used: await startTalker("used")
}
const sizes = [
  ["250 B", 250],
  ["16 KiB", 16_384]
] as const
const ways = sizes.map(([size, length]) => ({
  size,
  ways: [
    { name: "no filters", use: "none", more: "" },
    { name: "filters of others", use: "of others", more: "" },
    { name: "all filters, nothing found", use: "used", more: "" },
    { name: "all filters, 3 redacted", use: "used", more: "a@b.com, EMP-12345, 192.0.2.7" }
  ].map(({ more, name, use }): Way => ({
    name,
    ask: talkers[use as FilterUse].ask,
    content: fill(length, more),
    cpu: [],
    times: []
  }))
}))

const run = async ({ ask, content, cpu, times }: Way): Promise<void> => {
  let all = 0
  for (let call = 0; call < chats; call++) {
    const before = process.cpuUsage()
    await ask(content)
    const { system, user } = process.cpuUsage(before)
    times.push(system + user)
    all += system + user
  }
  cpu.push(all / chats)
}

for (let round = -3; round < rounds; round++) {
  for (const { ways: each } of ways) {
    for (const way of each) {
      await run(way)
      // The first rounds warm up.
      if (round < 0) way.cpu.length = way.times.length = 0
    }
  }
}

const rows = ways.flatMap(({ size, ways: each }) => {
  const [base] = each
  return each.map(({ cpu, name, times }) => {
    const added = (share: number): number =>
      (quantile(times, share) - quantile(base!.times, share)) / 1_000
    const ratio = median(cpu.map((micros, at) => micros / base!.cpu[at]!))
    const least = quantile(times, 0) - quantile(base!.times, 0)
    return {
      size,
      name,
      ratio,
      least: least / 1_000,
      micros: median(cpu),
      p50: added(0.5),
      p99: added(0.99)
    }
  })
})
console.table(
  rows.map(({ least, micros, name, p50, p99, ratio, size }) => ({
    prompt: size,
    filters: name,
    "CPU us": micros.toFixed(1),
    "CPU, none = 1": ratio.toFixed(2),
    // What other work of the machine adds least to.
    "added at least ms": least.toFixed(3),
    "added p50 ms": p50.toFixed(3),
    "added p99 ms": p99.toFixed(3)
  }))
)

/** Tokens that come apart, and how many more come before each is shown. */
const measureHold = (text: string, names: ReadonlyArray<string>) => {
  const rules = [
    {
      action: "redact",
      guardrail: "",
      placeholder: "[X]",
      label: "",
      isUserOnly: false,
      isRestored: false
    }
  ] as const
  const screened: ReadonlyArray<ContentFilter> = names.map((name) => ({
    name,
    detect: builtinDetectors[name]!,
    rules
  }))
  const stream = new AnswerScreen({
    filters: screened,
    placeholders: new Placeholders(),
    report: () => undefined
  }).makeStreamScreen()!
  const tokens = text.match(/\s?[^\s]{1,5}/gu) ?? []
  const waits: Array<number> = []
  let said = 0
  let shown = 0
  /** Where each token ends that is not shown yet, and when it came. */
  const open: Array<readonly [end: number, at: number]> = []
  for (const [at, token] of tokens.entries()) {
    said += token.length
    open.push([said, at])
    const events = stream.push([
      { type: "delta", choices: [{ index: 0, events: [{ type: "text", text: token }] }] }
    ])
    for (const { choices } of events)
      for (const { events } of choices)
        for (const event of events) shown += event.type === "text" ? event.text.length : 0
    while (open.length > 0 && open[0]![0] <= shown) waits.push(at - open.shift()![1])
  }
  return { mean: waits.reduce((sum, each) => sum + each, 0) / waits.length, waits }
}

const everything = Object.keys(builtinDetectors).filter((name) => name !== "regex-prompt-injection")
const texts = {
  English: fill(8_000),
  Chinese: "今天天气很好，请您尽快回复我们的来信，谢谢。".repeat(200),
  "numbers in groups": "1234 5678 9012 3456 ".repeat(200),
  "one endless word": "QUJD".repeat(4_000)
}
/** A usual pace of models. */
const tokenMillis = 20
console.table(
  Object.entries(texts).flatMap(([text, said]) =>
    [["email"], everything].map((names) => {
      const { mean, waits } = measureHold(said, names)
      const toMillis = (tokens: number): string => (tokens * tokenMillis).toFixed(0)
      return {
        answer: text,
        filters: names.length === 1 ? names[0] : "all",
        "held back, tokens": mean.toFixed(1),
        [`mean ms at ${1_000 / tokenMillis} tokens/s`]: toMillis(mean),
        "p99 ms": toMillis(quantile(waits, 0.99))
      }
    })
  )
)
const [, unused, ...used] = rows.filter(({ size }) => size === "16 KiB")
report(
  { goal: "unusedFilters", value: unused!.ratio },
  findWorst(
    "filterP99",
    used.map(({ name, p99 }) => ({ value: p99, where: name }))
  )
)
for (const { close } of Object.values(talkers)) await close()
