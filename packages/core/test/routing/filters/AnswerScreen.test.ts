/** Streamed answers: the same as whole ones however they are split, held back no longer than a match needs, in linear work. */
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { builtinDetectors } from "../../../src/engine/filters/builtinDetectors.ts"
import type { ContentFilter } from "../../../src/engine/filters/FilterRule.ts"
import { compilePattern } from "../../../src/engine/filters/pattern/LinearPattern.ts"
import type { TextOutline } from "../../../src/engine/filters/Detector.ts"
import { Placeholders } from "../../../src/engine/filters/Placeholders.ts"
import { AnswerScreen } from "../../../src/routing/filters/AnswerScreen.ts"
import type { StreamFilter } from "../../../src/routing/filters/FilterReport.ts"
import { makePositives } from "../../engine/filters/corpus.ts"

const rules = [
  {
    action: "redact",
    guardrail: "g",
    placeholder: "[X]",
    label: "[X]",
    isUserOnly: false,
    isRestored: false
  }
] as const

const slugs = [
  "email",
  "phone",
  "ssn",
  "credit-card",
  "ip-address",
  "iban",
  "national-id",
  "secrets"
]
const builtins: ReadonlyArray<ContentFilter> = slugs.map((name) => ({
  name,
  detect: builtinDetectors[name]!,
  rules
}))

const toPatternFilter = (source: string): ContentFilter => {
  const pattern = Result.getOrThrow(compilePattern(source))
  return {
    name: "custom",
    detect: (text) => pattern.findAll(text),
    findHold: (text, begin) => pattern.findPartial(text, begin),
    rules
  }
}

const makeScreen = (filters: ReadonlyArray<ContentFilter>) =>
  new AnswerScreen({ filters, placeholders: new Placeholders(), report: () => undefined })

/** What has been sent after each piece, and at the end. */
const send = (filter: StreamFilter, pieces: ReadonlyArray<string>): ReadonlyArray<string> => {
  const sent: Array<string> = []
  let all = ""
  const add = (events: ReturnType<StreamFilter["push"]>) => {
    for (const { choices } of events)
      for (const { events } of choices)
        for (const event of events) all += event.type === "text" ? event.text : ""
    sent.push(all)
  }
  for (const text of pieces) {
    add(filter.push([{ type: "delta", choices: [{ index: 0, events: [{ type: "text", text }] }] }]))
  }
  add(filter.flush())
  return sent
}

const stream = (filters: ReadonlyArray<ContentFilter>, pieces: ReadonlyArray<string>): string =>
  send(makeScreen(filters).makeStreamScreen()!, pieces).at(-1)!

const sayWhole = (filters: ReadonlyArray<ContentFilter>, text: string): string => {
  const { choices } = makeScreen(filters).screen({
    choices: [{ index: 0, answer: { parts: [{ type: "text", text }], end: { reason: "stop" } } }],
    usage: { inputTokens: 1, outputTokens: 1 }
  })
  const [part] = choices[0]!.answer.parts
  return part?.type === "text" ? part.text : ""
}

/** Where a text is cut. */
const split = (text: string, sizes: ReadonlyArray<number>): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length]!
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}

// The first words of a disguise with spaces are shown, as the guide says.
const lines = makePositives(900, 23).filter(
  ({ isDisguised, slug, value }) => slugs.includes(slug) && !(isDisguised && /\s/.test(value))
)
const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 })

describe("a streamed answer", () => {
  it("is the same as a whole one, however it is split", () => {
    const texts = fc.array(
      fc.oneof(
        fc.constantFrom(...lines.map(({ text }) => text)),
        fc.constantFrom(
          "so 4111  1111  1111  1111 is",
          "so 4111.1111.1111.1111 is",
          "to 10.0.0.1-10.0.0.9 or"
        ),
        fc.constantFrom("你好，请写信。", "See page 12 of 34", "at 10:30 on 2026-11-29,", "ok")
      ),
      { minLength: 1, maxLength: 4 }
    )
    fc.assert(
      fc.property(texts, sizes, (texts, sizes) => {
        const text = texts.join(" ")
        expect(stream(builtins, split(text, sizes))).toBe(sayWhole(builtins, text))
      }),
      { numRuns: 400 }
    )
  })

  it.each(["EMP-\\d{5}", "\\bproject [a-z]+\\b", "a.*b", "colou?r"])(
    "is the same for the pattern %s",
    (source) => {
      const filters = [toPatternFilter(source)]
      const text = fc.string({
        unit: fc.constantFrom("EMP-", "1", "2", "project ", "a", "b", " ", "colo", "u", "r", "\n"),
        maxLength: 30
      })
      fc.assert(
        fc.property(text, sizes, (text, sizes) => {
          expect(stream(filters, split(text, sizes))).toBe(sayWhole(filters, text))
        }),
        { numRuns: 200 }
      )
    }
  )

  it("is held back by its last word only, and not at all in scripts without spaces", () => {
    const sent = send(makeScreen([builtins[0]!]).makeStreamScreen()!, [
      "All is",
      " calm, ",
      "so r",
      "est."
    ])
    expect(sent).toEqual([
      "All ",
      "All is calm, ",
      "All is calm, so ",
      "All is calm, so ",
      "All is calm, so rest."
    ])
    const chinese = Array.from("今天天气很好，请写信给我。")
    const shown = send(makeScreen([builtins[0]!]).makeStreamScreen()!, chinese)
    for (const [at, text] of shown.entries()) {
      expect(text.length).toBeGreaterThanOrEqual(Math.min(chinese.length, at))
    }
  })

  it("of one endless word goes on, in work that is linear in its length", () => {
    for (const unit of ["x", "4", "a@", "QUJD"]) {
      let read = 0
      const counting = builtins.map((filter) => ({
        ...filter,
        detect: (text: string, outline: TextOutline) => {
          read += text.length
          return filter.detect(text, outline)
        }
      }))
      const characters = 20_000
      const pieces = Array.from({ length: characters / unit.length }, () => unit)
      const sent = send(makeScreen(counting).makeStreamScreen()!, pieces)
      // Nothing is held back for longer than the longest match.
      expect(sent.at(-2)!.length).toBeGreaterThan(characters - 6_000)
      // To search all of it with each piece would be thousands of times.
      expect(read / (characters * builtins.length)).toBeLessThan(12)
    }
  })
})
