/** Every known field of the operations besides chats is done, passed on, told or refused, as the table says. */
import { expect, test } from "vitest"
import { isToldBy } from "./isToldBy.ts"
import { listOperationTreatments } from "./OperationRow.ts"
import { operations } from "./operations.ts"
import { operationProviders, startOperations } from "./startOperations.ts"

test.each(operations)(
  "fields of $title",
  { timeout: 60_000 },
  async ({ base, model, path, rows }) => {
    await using server = await startOperations()
    const wrong: Array<readonly [provider: string, field: string, expected: string, seen: string]> =
      []
    for (const [index, provider] of operationProviders.entries()) {
      const ask = (more: object) =>
        server.ask(path, { model: `${model}/${provider}`, ...base, ...more })
      for (const row of rows) {
        const expected = listOperationTreatments(row)[index]!
        const plain = await ask(row.without ?? {})
        const asked = await ask(row.request)
        expect([row.field, plain.status < 400]).toEqual([row.field, true])
        const fresh = asked.told.filter((name) => !plain.told.includes(name))
        const seen =
          asked.status >= 400
            ? "refused"
            : fresh.some((name) => isToldBy(row, name))
              ? "told"
              : asked.sent.at(-1) === plain.sent.at(-1)
                ? "done"
                : "passed"
        if (seen !== expected) wrong.push([provider, row.field, expected, seen])
      }
    }
    expect(wrong).toEqual([])
  }
)

test.each(operations)(
  "a field of $title without effect is a 400 in strict mode, and in the record else",
  { timeout: 60_000 },
  async ({ base, model, path, rows }) => {
    await using server = await startOperations()
    const wrong: Array<readonly [provider: string, field: string, seen: unknown]> = []
    for (const [index, provider] of operationProviders.entries()) {
      for (const row of rows) {
        const expected = listOperationTreatments(row)[index]!
        if (expected === "refused") continue
        const body = { model: `${model}/${provider}`, ...base, ...row.request }
        const [name = ""] = row.field.split(/[:[]/)
        const strict = await server.ask(path, body, true)
        if (expected !== "told") {
          if (strict.status >= 400) wrong.push([provider, row.field, strict.text])
          continue
        }
        if (strict.status !== 400 || !strict.text.includes(name) || strict.sent.length > 0) {
          wrong.push([provider, row.field, strict])
        }
        // Videos are recorded when they end.
        const { id } = path.endsWith("/videos") ? { id: undefined } : await server.ask(path, body)
        const dropped = id === undefined ? undefined : await server.readDropped(id)
        if (dropped?.some((each) => isToldBy(row, each)) === false) {
          wrong.push([provider, row.field, dropped])
        }
      }
    }
    expect(wrong).toEqual([])
  }
)
