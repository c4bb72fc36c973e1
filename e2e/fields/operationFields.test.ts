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
