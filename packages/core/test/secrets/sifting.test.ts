import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { sifting } from "../../src/secrets/sifting.ts"
import { withoutSecrets } from "../../src/secrets/withoutSecrets.ts"

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

const knowing = <E extends object = Delta>(...secrets: ReadonlyArray<string>) => {
  const sieve = sifting<E>()
  sieve.learn(secrets)
  return sieve
}

/** A text cut at these places. */
const cut = (text: string, places: ReadonlyArray<number>): ReadonlyArray<string> => {
  const at = [0, ...places.map((place) => place % (text.length + 1)), text.length]
  const sorted = at.toSorted((self, that) => self - that)
  return sorted.slice(1).map((end, i) => text.slice(sorted[i], end))
}

/** Texts that hold secrets, parts of them, or none. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        secret,
        other,
        secret.slice(0, 9),
        secret.slice(4),
        "sk-psk-psk-p",
        btoa(secret)
      )
    )
  )
  .map((parts) => parts.join(""))
const places = fc.array(fc.nat(200), { maxLength: 20 })

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

  it("tells what is no secret as it is, and holds none of it for good", () => {
    fc.assert(
      fc.property(text, text, places, places, (one, two, cutOne, cutTwo) => {
        const sieve = knowing(secret, other)
        const [first, second] = [cut(one, cutOne), cut(two, cutTwo)]
        const events = first.flatMap((piece, i) => [
          deltaOf(piece),
          ...(second[i] === undefined ? [] : [deltaOf(second[i], 1)])
        ])
        const told = [...events.flatMap((event) => sieve.push(event)), ...sieve.rest()]
        assert.strictEqual(told.length, events.length)
        for (const [index, whole] of [one, second.slice(0, first.length).join("")].entries()) {
          const said = saidIn(told, index)
          for (const spelling of [secret, other, btoa(secret)]) assert.notInclude(said, spelling)
          const left = withoutSecrets(whole, [secret, other])
          // What stood before a cut may have been told.
          assert.isTrue(said.length >= left.length)
          if (left === whole) assert.strictEqual(said, whole)
        }
      }),
      { numRuns: 2_000 }
    )
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

  it("looks for what it learns on the way, but for no short word", () => {
    const sieve = sifting<Delta>()
    sieve.learn(["yes"])
    assert.deepStrictEqual([...sieve.push(deltaOf("ye"))], [deltaOf("ye")])
    sieve.learn([secret])
    assert.deepStrictEqual([...sieve.push(deltaOf("sk-plant"))], [])
    assert.strictEqual(saidIn(sieve.push(deltaOf("ed/secret yes"))), "[redacted] yes")
  })

  it("does not search what it has written itself", () => {
    const sieve = knowing("[redacted]")
    assert.strictEqual(saidIn(sieve.push(deltaOf("a [redacted] b"))), "a [redacted] b")
  })
})
