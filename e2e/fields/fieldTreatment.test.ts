/** Every known field of a chat is done, passed on, told or refused, at providers of every API, as the table says. */
import { describe, expect, test } from "vitest"
import type { DialectServer } from "../dialects/DialectServer.ts"
import { askForField, type ChatApi, startForFields } from "./askForField.ts"
import { chatApis } from "./chatApis.ts"
import { isToldBy } from "./isToldBy.ts"
import { type FieldProvider, fieldProviders, type FieldRow, listTreatments } from "./FieldRow.ts"

const observe = async (
  server: DialectServer,
  api: ChatApi,
  row: FieldRow,
  provider: FieldProvider
) => {
  const plain = await askForField(server, api, provider, row.without ?? {})
  const asked = await askForField(server, api, provider, row.request)
  expect(plain.status).toBe(200)
  if (asked.status >= 400) return "refused"
  const fresh = asked.told.filter((name) => !plain.told.includes(name))
  if (fresh.some((name) => isToldBy(row, name))) return "told"
  return asked.sent.at(-1) === plain.sent.at(-1) ? "done" : "passed"
}

describe.each(chatApis)("$name", (api) => {
  test.each(fieldProviders)(
    "each field is treated at a provider of %s as the table says",
    { timeout: 60_000 },
    async (provider) => {
      await using server = await startForFields()
      const index = fieldProviders.indexOf(provider)
      const wrong: Array<readonly [field: string, expected: string, observed: string]> = []
      for (const row of api.rows) {
        const expected = listTreatments(row)[index]!
        // Models to fall back to are refused here because there are no others.
        if (row.request["models"] !== undefined || row.request["fallbacks"] !== undefined) continue
        const observed = await observe(server, api, row, provider)
        if (observed !== expected) wrong.push([row.field, expected, observed])
      }
      expect(wrong).toEqual([])
    }
  )
})
