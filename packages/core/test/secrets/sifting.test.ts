import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { redactorOf } from "../../src/secrets/Redactor.ts"
import { sifting } from "../../src/secrets/sifting.ts"
import { spellingsOf } from "../../src/secrets/spellingsOf.ts"
import { growth, linear } from "../growth.ts"

const secret = "sk-planted/secret"
const other = "another one, of a header"

const deltaOf = (content: string, index = 0) => ({ choices: [{ index, delta: { content } }] })
type Delta = ReturnType<typeof deltaOf>

const saidIn = (events: ReadonlyArray<Delta>, index = 0): string =>
  events
    .flatMap(({ choices }) => choices.filter((choice) => choice.index === index))
    .map(({ delta }) => delta.content)
    .join("")

const callsOf = (...calls: ReadonlyArray<readonly [index: number, text: string]>) => ({
  tool_calls: calls.map(([index, text]) => ({ index, function: { arguments: text } }))
})

const knowing = <E extends object = Delta>(...secrets: ReadonlyArray<string>) =>
  sifting<E>(redactorOf(secrets))

/** A text cut at these places. */
const cut = (text: string, places: ReadonlyArray<number>): ReadonlyArray<string> => {
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
  ...secrets.flatMap(spellingsOf),
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
  .map(([parts, places]) => cut(parts.join(""), places).filter((piece) => piece !== ""))

const quoted = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")

/** What may be told of a text: what is left of the whole, but three characters of each secret may have been told before. */
const withMarks = (text: string): RegExp => {
  const { found } = redactorOf(secrets).find(text, 0, true)
  let pattern = ""
  let from = 0
  for (const { end, start } of found) {
    const told =
      text
        .slice(start, end)
        .match(/^(?:\\{0,8}(?:u[0-9a-f]{4}|[^])){0,3}\\{0,8}u?[0-9a-f]{0,3}/i)?.[0] ?? ""
    const some = Array.from({ length: told.length + 1 }, (_, count) => quoted(told.slice(0, count)))
    pattern += `${quoted(text.slice(from, start))}(?:${some.join("|")})\\[redacted\\]`
    from = end
  }
  return new RegExp(`^${pattern}${quoted(text.slice(from))}$`)
}

describe("sifting", () => {
  it("finds a secret in two events wherever it is cut, and tells three characters of it at most", () => {
    for (let at = 1; at < secret.length; at++) {
      const sieve = knowing(secret)
      const told = [`It is ${secret.slice(0, at)}`, `${secret.slice(at)}!`].flatMap((piece) =>
        sieve.push(deltaOf(piece))
      )
      assert.strictEqual(saidIn(told), `It is ${at < 4 ? secret.slice(0, at) : ""}[redacted]!`)
    }
  })

  it("tells the same as if all of a text were looked through at once, every event, and in order", () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (lines, apart) => {
          const sieve = knowing<object>(...secrets)
          const most = Math.max(...lines.map(({ length }) => length))
          const turns = Array.from({ length: most }, (_, turn) =>
            lines.flatMap((line, index) =>
              line[turn] === undefined ? [] : deltaOf(line[turn], index).choices
            )
          )
          const said = (
            apart ? turns.flatMap((turn) => turn.map((choice) => [choice])) : turns
          ).map((choices) => ({ choices }))
          const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }
          const usage = { choices: [], usage: { completion_tokens: 1 } }
          const events = [...said, end, usage]
          const told = [...events.flatMap((event) => sieve.push(event)), ...sieve.rest()]
          assert.lengthOf(told, events.length)
          assert.isTrue(told.every((event, i) => event === events[i]))
          for (const [index, line] of lines.entries()) {
            assert.match(saidIn(said, index), withMarks(line.join("")))
          }
        }
      ),
      { numRuns: 1_000 }
    )
  })

  it("the end of a secret was told that begins with another one", () => {
    for (const event of ["sk-planted|/secret.", "sk-plant|ed/sec|ret."]) {
      const sieve = knowing(...secrets)
      const events = event.split("|").map((piece) => deltaOf(piece))
      const told = [...events.flatMap((each) => sieve.push(each)), ...sieve.rest()]
      assert.strictEqual(saidIn(told), "[redacted].")
    }
    const sieve = knowing(...secrets)
    assert.deepStrictEqual([...sieve.push(deltaOf("sk-planted"))], [])
    assert.strictEqual(saidIn(sieve.rest()), "[redacted]")
  })

  it("a text that was over held up all that followed it until the stream ended", () => {
    const sieve = knowing(secret)
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
    const sieve = knowing(secret)
    const [told] = sieve.push(deltaOf(`${secret}, `.repeat(100_000)))
    assert.strictEqual(told?.choices[0]?.delta.content, "[redacted], ".repeat(100_000))
  })

  it("hands on at once, untouched, what ends with nothing that looks like a secret", () => {
    const sieve = knowing(secret, other)
    for (const piece of ["Yes", " as", "k", " an", "s", "sk", "-", " done"]) {
      const event = deltaOf(piece)
      assert.deepStrictEqual([...sieve.push(event)], [event])
    }
  })

  it("waits no longer than the text may still be the secret", () => {
    const sieve = knowing(secret)
    assert.deepStrictEqual([...sieve.push(deltaOf("sk-pl"))], [])
    assert.deepStrictEqual([...sieve.push(deltaOf("about it", 1))], [])
    assert.deepStrictEqual(
      [...sieve.push(deltaOf("ease"))],
      [deltaOf("sk-pl"), deltaOf("about it", 1), deltaOf("ease")]
    )
    // The first of these is decided by the second.
    assert.deepStrictEqual([...sieve.push(deltaOf("sk-p"))], [])
    assert.deepStrictEqual([...sieve.push(deltaOf("sk-p"))], [deltaOf("sk-p")])
    assert.deepStrictEqual([...sieve.rest()], [deltaOf("sk-p")])
  })

  it("keeps the arguments of one tool call apart from those of another, and finds both", () => {
    const sieve = knowing<ReturnType<typeof callsOf>>(secret)
    const events = [
      callsOf([1, "sk-plan"]),
      callsOf([0, "sk-planted/"], [1, "ted/sec"]),
      callsOf([0, "secret"]),
      callsOf([1, "ret."])
    ].flatMap((event) => sieve.push(event))
    assert.deepStrictEqual(events, [
      callsOf([1, "[redacted]"]),
      callsOf([0, "[redacted]"], [1, ""]),
      callsOf([0, ""]),
      callsOf([1, "."])
    ])
  })

  it("looks for what it learns on the way", () => {
    const sieve = sifting<Delta>()
    assert.deepStrictEqual([...sieve.push(deltaOf("sk-plant"))], [deltaOf("sk-plant")])
    sieve.learn(redactorOf([secret]))
    assert.deepStrictEqual([...sieve.push(deltaOf("sk-plant"))], [])
    assert.strictEqual(saidIn(sieve.push(deltaOf("ed/secret yes"))), "[redacted] yes")
  })

  it("looks again at a text that comes again and again once it may go on with a secret, or be one", () => {
    const sieve = knowing(secret)
    const said = (...texts: ReadonlyArray<string>) =>
      saidIn(texts.flatMap((text) => sieve.push(deltaOf(text))))
    const end = "planted/secret"
    assert.strictEqual(said(end, end, end), end.repeat(3))
    assert.strictEqual(said("so sk-", end), "so sk-[redacted]")
    assert.strictEqual(said(end, end, end), end.repeat(3))
    assert.strictEqual(said("sk-please sk-", end), "sk-please sk-[redacted]")
    assert.strictEqual(said(end, end, end), end.repeat(3))
    sieve.learn(redactorOf([end]))
    assert.strictEqual(said(end), "[redacted]")
  })

  it("does not search what it has written itself", () => {
    const sieve = knowing("[redacted]")
    assert.strictEqual(saidIn(sieve.push(deltaOf("a [redacted] b"))), "a [redacted] b")
  })

  it("a secret was told whose characters are escaped in the arguments of a call, in pieces", () => {
    const name = String.raw`{"sk-pl\u0061nted\/secret":1}`
    for (let at = 1; at < name.length; at++) {
      const sieve = knowing<ReturnType<typeof callsOf>>(secret)
      const events = [name.slice(0, at), name.slice(at)].map((piece) => callsOf([0, piece]))
      const told = [...events.flatMap((event) => sieve.push(event)), ...sieve.rest()]
      const text = told.map(({ tool_calls }) => tool_calls[0]!.function.arguments).join("")
      assert.match(text, /^\{"(?:s|sk|sk-)?\[redacted\]":1\}$/)
    }
  })

  it.each<readonly [string, (i: number) => object]>([
    ["pieces of one text", () => deltaOf("word ")],
    ["pieces that may begin a secret", () => deltaOf("sk-p")],
    ["calls", (i) => callsOf([i, "sk-"])],
    ["names", (i) => ({ [`name ${i}`]: "it is" })]
  ])("many %s cost the square of their number", (_, nth) => {
    const ratio = growth(5_000, (size) => {
      const sieve = knowing<object>(secret)
      for (let i = 0; i < size; i++) sieve.push(nth(i))
      sieve.rest()
    })
    assert.isBelow(ratio, linear)
  })

  it("what came before one piece was put together again for each that followed", () => {
    const long = "a".repeat(1_000)
    const ratio = growth(200, (size) => {
      const sieve = knowing(long)
      sieve.push(deltaOf(`${" ".repeat(size * 1_000)}aaaa`))
      for (let i = 0; i < 900; i++) sieve.push(deltaOf("a"))
    })
    assert.isBelow(ratio, linear)
  })

  it("remembered every place there ever was", () => {
    const sieve = knowing<object>(secret)
    for (let i = 0; i < 100_000; i++) sieve.push({ [`plain ${i}`]: "so." })
    assert.isFalse(sieve.isOverfull())
    for (let i = 0; i < 100_000; i++) sieve.push({ [`place ${i}`]: "sk-" })
    assert.isTrue(sieve.isOverfull())
  })

  it("held up large events for one that did not go on", () => {
    const sieve = knowing(secret)
    const large = 9_000_000
    assert.lengthOf(sieve.push(deltaOf("sk-p", 1), large), 0)
    assert.lengthOf(sieve.push(deltaOf("so"), large), 2)
  })
})
