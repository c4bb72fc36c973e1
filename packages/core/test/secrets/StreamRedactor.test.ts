import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../vitest.scope.ts"
import { makeRedactor } from "../../src/secrets/Redactor.ts"
import { makeStreamRedactor } from "../../src/secrets/StreamRedactor.ts"
import { listSecretEncodings } from "../../src/secrets/listSecretEncodings.ts"
import { growth, linear } from "../growth.ts"

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

/** A text cut at these places. */
const splitAt = (text: string, places: ReadonlyArray<number>): ReadonlyArray<string> => {
  const at = [0, ...places.map((place) => place % (text.length + 1)), text.length]
  const sorted = at.toSorted((self, that) => self - that)
  return sorted.slice(1).map((end, i) => text.slice(sorted[i], end))
}

/** Some begin alike, one is the beginning of another, some overlap, and some are escaped. */
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

/** Texts that hold secrets, parts of them, or none, each cut somewhere. */
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
  // An empty piece does not go on with a text.
  .map(([parts, places]) => splitAt(parts.join(""), places).filter((piece) => piece !== ""))

const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")

/** What may be told of a text: what is left of the whole, but three characters of each secret may have been told before. */
const withMarks = (text: string): RegExp => {
  const { found } = makeRedactor(secrets).findSecrets(text, 0, true)
  let pattern = ""
  let from = 0
  for (const { end, start } of found) {
    const told =
      text
        .slice(start, end)
        .match(/^(?:\\{0,8}(?:u[0-9a-f]{4}|[^])){0,3}\\{0,8}u?[0-9a-f]{0,3}/i)?.[0] ?? ""
    const some = Array.from({ length: told.length + 1 }, (_, count) =>
      escapeRegExp(told.slice(0, count))
    )
    pattern += `${escapeRegExp(text.slice(from, start))}(?:${some.join("|")})\\[redacted\\]`
    from = end
  }
  return new RegExp(`^${pattern}${escapeRegExp(text.slice(from))}$`)
}

describe("sifting", () => {
  it("finds a secret in two events wherever it is cut, and tells three characters of it at most", () => {
    for (let at = 1; at < secret.length; at++) {
      const sieve = makeRedactorFor(secret)
      const told = [`It is ${secret.slice(0, at)}`, `${secret.slice(at)}!`].flatMap((piece) =>
        sieve.push(makeDelta(piece))
      )
      assert.strictEqual(joinContent(told), `It is ${at < 4 ? secret.slice(0, at) : ""}[redacted]!`)
    }
  })

  it("tells the same as if all of a text were looked through at once, every event, and in order", () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (lines, apart) => {
          const sieve = makeRedactorFor<object>(...secrets)
          const most = Math.max(...lines.map(({ length }) => length))
          const turns = Array.from({ length: most }, (_, turn) =>
            lines.flatMap((line, index) =>
              line[turn] === undefined ? [] : makeDelta(line[turn], index).choices
            )
          )
          const said = (
            apart ? turns.flatMap((turn) => turn.map((choice) => [choice])) : turns
          ).map((choices) => ({ choices }))
          const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }
          const usage = { choices: [], usage: { completion_tokens: 1 } }
          const events = [...said, end, usage]
          const told = [...events.flatMap((event) => sieve.push(event)), ...sieve.flush()]
          assert.lengthOf(told, events.length)
          assert.isTrue(told.every((event, i) => event === events[i]))
          for (const [index, line] of lines.entries()) {
            assert.match(joinContent(said, index), withMarks(line.join("")))
          }
        }
      ),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("the end of a secret was told that begins with another one", () => {
    for (const event of ["sk-planted|/secret.", "sk-plant|ed/sec|ret."]) {
      const sieve = makeRedactorFor(...secrets)
      const events = event.split("|").map((piece) => makeDelta(piece))
      const told = [...events.flatMap((each) => sieve.push(each)), ...sieve.flush()]
      assert.strictEqual(joinContent(told), "[redacted].")
    }
    const sieve = makeRedactorFor(...secrets)
    assert.deepStrictEqual([...sieve.push(makeDelta("sk-planted"))], [])
    assert.strictEqual(joinContent(sieve.flush()), "[redacted]")
  })

  it("a text that was over held up all that followed it until the stream ended", () => {
    const sieve = makeRedactorFor(secret)
    const thought = { choices: [{ index: 0, delta: { content: "", reasoning: "sk-pl" } }] }
    const said = Array.from({ length: 100 }, (_, n) => ({
      choices: [{ index: 0, delta: { content: `${n} `, reasoning: "" } }]
    }))
    assert.deepStrictEqual([...sieve.push(thought)], [])
    const told = said.slice(0, 32).flatMap((event) => sieve.push(event))
    assert.deepStrictEqual(told, [thought, ...said.slice(0, 32)])
    for (const event of said.slice(32)) {
      assert.deepStrictEqual([...sieve.push(event)], [event])
    }
  })

  it("took minutes for a long text that repeats a secret again and again", () => {
    const sieve = makeRedactorFor(secret)
    const [told] = sieve.push(makeDelta(`${secret}, `.repeat(100_000)))
    assert.strictEqual(told?.choices[0]?.delta.content, "[redacted], ".repeat(100_000))
  })

  it("hands on at once, untouched, what ends with nothing that looks like a secret", () => {
    const sieve = makeRedactorFor(secret, other)
    for (const piece of ["Yes", " as", "k", " an", "s", "sk", "-", " done"]) {
      const event = makeDelta(piece)
      assert.deepStrictEqual([...sieve.push(event)], [event])
    }
  })

  it("waits no longer than the text may still be the secret", () => {
    const sieve = makeRedactorFor(secret)
    assert.deepStrictEqual([...sieve.push(makeDelta("sk-pl"))], [])
    assert.deepStrictEqual([...sieve.push(makeDelta("about it", 1))], [])
    assert.deepStrictEqual(
      [...sieve.push(makeDelta("ease"))],
      [makeDelta("sk-pl"), makeDelta("about it", 1), makeDelta("ease")]
    )
    // The first of these is decided by the second.
    assert.deepStrictEqual([...sieve.push(makeDelta("sk-p"))], [])
    assert.deepStrictEqual([...sieve.push(makeDelta("sk-p"))], [makeDelta("sk-p")])
    assert.deepStrictEqual([...sieve.flush()], [makeDelta("sk-p")])
  })

  it("keeps the arguments of one tool call apart from those of another, and finds both", () => {
    const sieve = makeRedactorFor<ReturnType<typeof makeToolCalls>>(secret)
    const events = [
      makeToolCalls([1, "sk-plan"]),
      makeToolCalls([0, "sk-planted/"], [1, "ted/sec"]),
      makeToolCalls([0, "secret"]),
      makeToolCalls([1, "ret."])
    ].flatMap((event) => sieve.push(event))
    assert.deepStrictEqual(events, [
      makeToolCalls([1, "[redacted]"]),
      makeToolCalls([0, "[redacted]"], [1, ""]),
      makeToolCalls([0, ""]),
      makeToolCalls([1, "."])
    ])
  })

  it("looks for what it learns on the way", () => {
    const sieve = makeStreamRedactor<Delta>()
    assert.deepStrictEqual([...sieve.push(makeDelta("sk-plant"))], [makeDelta("sk-plant")])
    sieve.setRedactor(makeRedactor([secret]))
    assert.deepStrictEqual([...sieve.push(makeDelta("sk-plant"))], [])
    assert.strictEqual(joinContent(sieve.push(makeDelta("ed/secret yes"))), "[redacted] yes")
  })

  it("looks again at a text that comes again and again once it may go on with a secret, or be one", () => {
    const sieve = makeRedactorFor(secret)
    const said = (...texts: ReadonlyArray<string>) =>
      joinContent(texts.flatMap((text) => sieve.push(makeDelta(text))))
    const end = "planted/secret"
    assert.strictEqual(said(end, end, end), end.repeat(3))
    assert.strictEqual(said("so sk-", end), "so sk-[redacted]")
    assert.strictEqual(said(end, end, end), end.repeat(3))
    assert.strictEqual(said("sk-please sk-", end), "sk-please sk-[redacted]")
    assert.strictEqual(said(end, end, end), end.repeat(3))
    sieve.setRedactor(makeRedactor([end]))
    assert.strictEqual(said(end), "[redacted]")
  })

  it("does not search what it has written itself", () => {
    const sieve = makeRedactorFor("[redacted]")
    assert.strictEqual(joinContent(sieve.push(makeDelta("a [redacted] b"))), "a [redacted] b")
  })

  it("a secret was told whose characters are escaped in the arguments of a call, in pieces", () => {
    const name = String.raw`{"sk-pl\u0061nted\/secret":1}`
    for (let at = 1; at < name.length; at++) {
      const sieve = makeRedactorFor<ReturnType<typeof makeToolCalls>>(secret)
      const events = [name.slice(0, at), name.slice(at)].map((piece) => makeToolCalls([0, piece]))
      const told = [...events.flatMap((event) => sieve.push(event)), ...sieve.flush()]
      const text = told.map(({ tool_calls }) => tool_calls[0]!.function.arguments).join("")
      assert.match(text, /^\{"(?:s|sk|sk-)?\[redacted\]":1\}$/)
    }
  })

  it.each<readonly [string, (i: number) => object]>([
    ["pieces of one text", () => makeDelta("word ")],
    ["pieces that may begin a secret", () => makeDelta("sk-p")],
    ["calls", (i) => makeToolCalls([i, "sk-"])],
    ["names", (i) => ({ [`name ${i}`]: "it is" })]
  ])("many %s cost the square of their number", (_, nth) => {
    const ratio = growth(5_000, (size) => {
      const sieve = makeRedactorFor<object>(secret)
      for (let i = 0; i < size; i++) sieve.push(nth(i))
      sieve.flush()
    })
    assert.isBelow(ratio, linear)
  })

  it("what came before one piece was put together again for each that followed", () => {
    const long = "a".repeat(1_000)
    const ratio = growth(200, (size) => {
      const sieve = makeRedactorFor(long)
      sieve.push(makeDelta(`${" ".repeat(size * 1_000)}aaaa`))
      for (let i = 0; i < 900; i++) sieve.push(makeDelta("a"))
    })
    assert.isBelow(ratio, linear)
  })

  it("remembered every place there ever was", () => {
    const sieve = makeRedactorFor<object>(secret)
    for (let i = 0; i < 100_000; i++) sieve.push({ [`plain ${i}`]: "so." })
    assert.isFalse(sieve.hasOverflowed())
    for (let i = 0; i < 100_000; i++) sieve.push({ [`place ${i}`]: "sk-" })
    assert.isTrue(sieve.hasOverflowed())
  })

  it("held up large events for one that did not go on", () => {
    const sieve = makeRedactorFor(secret)
    const large = 9_000_000
    assert.lengthOf(sieve.push(makeDelta("sk-p", 1), large), 0)
    assert.lengthOf(sieve.push(makeDelta("so"), large), 2)
  })
})
