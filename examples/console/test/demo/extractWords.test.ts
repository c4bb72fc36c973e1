import { expect, test } from "vitest"
import { extractWords } from "../../src/demo/extractWords.ts"

test("finds text, keys and numbers at any depth, in lower case and once", () => {
  expect([
    ...extractWords({ Order: 4417, notes: ["Charged twice", { reply: "CHARGED" }] })
  ]).toEqual(["order", "4417", "notes", "charged", "twice", "reply"])
})

test("omits short and common words", () => {
  expect([...extractWords("It was not on the invoice")]).toEqual(["invoice"])
})

test("splits labels and keeps words of other alphabets whole", () => {
  expect([...extractWords("cannot_log-in, Rückerstattung, возврат")]).toEqual([
    "cannot",
    "log",
    "rückerstattung",
    "возврат"
  ])
})

test("accepts a key called __proto__, and a thousand nested arrays", () => {
  let deep: unknown = JSON.parse('{"__proto__":"refund"}')
  for (let level = 0; level < 1_000; level++) deep = [deep]
  expect([...extractWords(deep)]).toEqual(["proto", "refund"])
})

test("an empty value has no words", () => {
  expect([...extractWords(null), ...extractWords(undefined), ...extractWords("")]).toEqual([])
})
