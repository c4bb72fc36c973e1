import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { listSecretEncodings, makeRedactor } from "../../../src/engine/secrets/Redactor.ts"
import { makeStreamRedactor } from "../../../src/engine/secrets/StreamRedactor.ts"
import { growth, linear } from "../../growth.ts"

const secret = "sk-planted/secret"
const other = "another one, of a header"

const makeDelta = (content: string, index = 0) => ({ choices: [{ index, delta: { content } }] })
type Delta = ReturnType<typeof makeDelta>

const joinContent = (events: ReadonlyArray<Delta>, index = 0): string =>
  events
    .flatMap(({ choices }) => choices.filter((choice) => choice.index === index))
    .map(({ delta }) => delta.content)
    .join("")

const makeToolCalls = (...calls: ReadonlyArray<readonly [index: number, text: string]>) => ({
  tool_calls: calls.map(([index, text]) => ({ index, function: { arguments: text } }))
})

const makeRedactorFor = <E extends object = Delta>(...secrets: ReadonlyArray<string>) =>
  makeStreamRedactor<E>(makeRedactor(secrets))

/** A text cut at these positions. */
const splitAt = (text: string, places: ReadonlyArray<number>): ReadonlyArray<string> => {
  const at = [0, ...places.map((place) => place % (text.length + 1)), text.length]
  const sorted = at.toSorted((self, that) => self - that)
  return sorted.slice(1).map((end, i) => text.slice(sorted[i], end))
}

/** Some begin alike, one is a prefix of another, some overlap, and some are escaped. */
const secrets = [
  "sk-planted",
  secret,
  "sk-planet-express",
  "secret-of-nobody",
  'q"uoted\\with ü 🎬',
  "aaaaaaaa",
  "aaaaaaaaab"
]
const spelt = [
  ...secrets.flatMap(listSecretEncodings),
  String.raw`sk-pl\u0061nted\/secret`,
  String.raw`\u0073\u006B-planet-express`
]

/** Texts with secrets, parts of them, or none, each split somewhere. */
const pieces = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.string({ unit: "grapheme" }),
        fc.constantFrom(...spelt),
        fc
          .tuple(fc.constantFrom(...spelt), fc.nat(20), fc.nat(20))
          .map(([spelling, from, to]) => spelling.slice(from, to + from))
      ),
      { maxLength: 8 }
    ),
    fc.array(fc.nat(400), { maxLength: 20 })
  )
  // An empty piece does not continue a text.
  .map(([parts, places]) => splitAt(parts.join(""), places).filter((piece) => piece !== ""))

const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")

/**
 * The allowed output for a text: the redacted text, with up to three leading characters of each
 * secret.
 */
const withMarks = (text: string): RegExp => {
  const { found } = makeRedactor(secrets).findSecrets(text, 0, true)
  let pattern = ""
  let from = 0
  for (const { end, start } of found) {
    const prefix =
      text
        .slice(start, end)
        .match(/^(?:\\{0,8}(?:u[0-9a-f]{4}|[^])){0,3}\\{0,8}u?[0-9a-f]{0,3}/i)?.[0] ?? ""
    const some = Array.from({ length: prefix.length + 1 }, (_, count) =>
      escapeRegExp(prefix.slice(0, count))
    )
    pattern += `${escapeRegExp(text.slice(from, start))}(?:${some.join("|")})\\[redacted\\]`
    from = end
  }
  return new RegExp(`^${pattern}${escapeRegExp(text.slice(from))}$`)
}

describe("StreamRedactor", () => {
  it("redacts a secret that is split across two events, and emits at most its first three characters", () => {
    for (let at = 1; at < secret.length; at++) {
      const redactor = makeRedactorFor(secret)
      const output = [`It is ${secret.slice(0, at)}`, `${secret.slice(at)}!`].flatMap((piece) =>
        redactor.push(makeDelta(piece))
      )
      assert.strictEqual(
        joinContent(output),
        `It is ${at < 4 ? secret.slice(0, at) : ""}[redacted]!`
      )
    }
  })

  it("matches the redaction of the whole text, and emits every event in order", () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (lines, apart) => {
          const redactor = makeRedactorFor<object>(...secrets)
          const most = Math.max(...lines.map(({ length }) => length))
          const turns = Array.from({ length: most }, (_, turn) =>
            lines.flatMap((line, index) =>
              line[turn] === undefined ? [] : makeDelta(line[turn], index).choices
            )
          )
          const deltas = (
            apart ? turns.flatMap((turn) => turn.map((choice) => [choice])) : turns
          ).map((choices) => ({ choices }))
          const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }
          const usage = { choices: [], usage: { completion_tokens: 1 } }
          const events = [...deltas, end, usage]
          const output = [...events.flatMap((event) => redactor.push(event)), ...redactor.flush()]
          assert.lengthOf(output, events.length)
          assert.isTrue(output.every((event, i) => event === events[i]))
          for (const [index, line] of lines.entries()) {
            assert.match(joinContent(deltas, index), withMarks(line.join("")))
          }
        }
      ),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("redacts all of a secret that begins with another one", () => {
    for (const event of ["sk-planted|/secret.", "sk-plant|ed/sec|ret."]) {
      const redactor = makeRedactorFor(...secrets)
      const events = event.split("|").map((piece) => makeDelta(piece))
      const output = [...events.flatMap((each) => redactor.push(each)), ...redactor.flush()]
      assert.strictEqual(joinContent(output), "[redacted].")
    }
    const redactor = makeRedactorFor(...secrets)
    assert.deepStrictEqual([...redactor.push(makeDelta("sk-planted"))], [])
    assert.strictEqual(joinContent(redactor.flush()), "[redacted]")
  })

  it("holds back at most 32 events behind a text that has ended", () => {
    const redactor = makeRedactorFor(secret)
    const thought = { choices: [{ index: 0, delta: { content: "", reasoning: "sk-pl" } }] }
    const deltas = Array.from({ length: 100 }, (_, n) => ({
      choices: [{ index: 0, delta: { content: `${n} `, reasoning: "" } }]
    }))
    assert.deepStrictEqual([...redactor.push(thought)], [])
    const output = deltas.slice(0, 32).flatMap((event) => redactor.push(event))
    assert.deepStrictEqual(output, [thought, ...deltas.slice(0, 32)])
    for (const event of deltas.slice(32)) {
      assert.deepStrictEqual([...redactor.push(event)], [event])
    }
  })

  it("redacts a long text with many repetitions of a secret quickly", () => {
    const redactor = makeRedactorFor(secret)
    const [output] = redactor.push(makeDelta(`${secret}, `.repeat(100_000)))
    assert.strictEqual(output?.choices[0]?.delta.content, "[redacted], ".repeat(100_000))
  })

  it("emits events at once and unchanged if nothing at their end looks like a secret", () => {
    const redactor = makeRedactorFor(secret, other)
    for (const piece of ["Yes", " as", "k", " an", "s", "sk", "-", " done"]) {
      const event = makeDelta(piece)
      assert.deepStrictEqual([...redactor.push(event)], [event])
    }
  })

  it("holds back events only while the text may still be the secret", () => {
    const redactor = makeRedactorFor(secret)
    assert.deepStrictEqual([...redactor.push(makeDelta("sk-pl"))], [])
    assert.deepStrictEqual([...redactor.push(makeDelta("about it", 1))], [])
    assert.deepStrictEqual(
      [...redactor.push(makeDelta("ease"))],
      [makeDelta("sk-pl"), makeDelta("about it", 1), makeDelta("ease")]
    )
    // The second event decides the first.
    assert.deepStrictEqual([...redactor.push(makeDelta("sk-p"))], [])
    assert.deepStrictEqual([...redactor.push(makeDelta("sk-p"))], [makeDelta("sk-p")])
    assert.deepStrictEqual([...redactor.flush()], [makeDelta("sk-p")])
  })

  it("separates the arguments of concurrent tool calls, and redacts both", () => {
    const redactor = makeRedactorFor<ReturnType<typeof makeToolCalls>>(secret)
    const events = [
      makeToolCalls([1, "sk-plan"]),
      makeToolCalls([0, "sk-planted/"], [1, "ted/sec"]),
      makeToolCalls([0, "secret"]),
      makeToolCalls([1, "ret."])
    ].flatMap((event) => redactor.push(event))
    assert.deepStrictEqual(events, [
      makeToolCalls([1, "[redacted]"]),
      makeToolCalls([0, "[redacted]"], [1, ""]),
      makeToolCalls([0, ""]),
      makeToolCalls([1, "."])
    ])
  })

  it("redacts secrets that are added during the stream", () => {
    const redactor = makeStreamRedactor<Delta>()
    assert.deepStrictEqual([...redactor.push(makeDelta("sk-plant"))], [makeDelta("sk-plant")])
    redactor.setRedactor(makeRedactor([secret]))
    assert.deepStrictEqual([...redactor.push(makeDelta("sk-plant"))], [])
    assert.strictEqual(joinContent(redactor.push(makeDelta("ed/secret yes"))), "[redacted] yes")
  })

  it("redacts a repeated text once it continues a secret, or becomes one", () => {
    const redactor = makeRedactorFor(secret)
    const redactAll = (...texts: ReadonlyArray<string>) =>
      joinContent(texts.flatMap((text) => redactor.push(makeDelta(text))))
    const end = "planted/secret"
    assert.strictEqual(redactAll(end, end, end), end.repeat(3))
    assert.strictEqual(redactAll("so sk-", end), "so sk-[redacted]")
    assert.strictEqual(redactAll(end, end, end), end.repeat(3))
    assert.strictEqual(redactAll("sk-please sk-", end), "sk-please sk-[redacted]")
    assert.strictEqual(redactAll(end, end, end), end.repeat(3))
    redactor.setRedactor(makeRedactor([end]))
    assert.strictEqual(redactAll(end), "[redacted]")
  })

  it("does not search its own replacements", () => {
    const redactor = makeRedactorFor("[redacted]")
    assert.strictEqual(joinContent(redactor.push(makeDelta("a [redacted] b"))), "a [redacted] b")
  })

  it("redacts a split secret with escaped characters in the arguments of a call", () => {
    const name = String.raw`{"sk-pl\u0061nted\/secret":1}`
    for (let at = 1; at < name.length; at++) {
      const redactor = makeRedactorFor<ReturnType<typeof makeToolCalls>>(secret)
      const events = [name.slice(0, at), name.slice(at)].map((piece) => makeToolCalls([0, piece]))
      const output = [...events.flatMap((event) => redactor.push(event)), ...redactor.flush()]
      const text = output.map(({ tool_calls }) => tool_calls[0]!.function.arguments).join("")
      assert.match(text, /^\{"(?:s|sk|sk-)?\[redacted\]":1\}$/)
    }
  })

  it.each<readonly [string, (i: number) => object]>([
    ["pieces of one text", () => makeDelta("word ")],
    ["pieces that may begin a secret", () => makeDelta("sk-p")],
    ["calls", (i) => makeToolCalls([i, "sk-"])],
    ["names", (i) => ({ [`name ${i}`]: "it is" })]
  ])("takes linear time for many %s", (_, nth) => {
    const ratio = growth(5_000, (size) => {
      const redactor = makeRedactorFor<object>(secret)
      for (let i = 0; i < size; i++) redactor.push(nth(i))
      redactor.flush()
    })
    assert.isBelow(ratio, linear)
  })

  it("takes linear time for many pieces after a long text", () => {
    const long = "a".repeat(1_000)
    const ratio = growth(200, (size) => {
      const redactor = makeRedactorFor(long)
      redactor.push(makeDelta(`${" ".repeat(size * 1_000)}aaaa`))
      for (let i = 0; i < 900; i++) redactor.push(makeDelta("a"))
    })
    assert.isBelow(ratio, linear)
  })

  it("tracks a bounded number of JSON paths", () => {
    const redactor = makeRedactorFor<object>(secret)
    for (let i = 0; i < 100_000; i++) redactor.push({ [`plain ${i}`]: "so." })
    assert.isFalse(redactor.hasOverflowed())
    for (let i = 0; i < 100_000; i++) redactor.push({ [`place ${i}`]: "sk-" })
    assert.isTrue(redactor.hasOverflowed())
  })

  it("releases held-back events above a size limit", () => {
    const redactor = makeRedactorFor(secret)
    const large = 9_000_000
    assert.lengthOf(redactor.push(makeDelta("sk-p", 1), large), 0)
    assert.lengthOf(redactor.push(makeDelta("so"), large), 2)
  })
})
