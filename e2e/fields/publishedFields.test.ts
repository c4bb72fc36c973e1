/** Every field that OpenRouter's published schemas describe reaches the provider, is told, refused, or done here. */
import { expect, test } from "vitest"
import { describeWithReference } from "../../packages/core/test/reference.ts"
import { fieldProviders } from "./FieldRow.ts"
import { findSilentField } from "./findSilentField.ts"
import { operationProviders, startOperations } from "./startOperations.ts"
import { startForFields } from "./askForField.ts"
import { chatProbes, operationProbes } from "./publishedProbes.ts"

describeWithReference("the published schemas", (pathOf) => {
  test.each(chatProbes)(
    "no field of $name is lost in silence",
    { timeout: 900_000 },
    async (probe) => {
      await using server = await startForFields()
      const silent = new Set<string>()
      for (const provider of fieldProviders) {
        const options = probe.toOptions(server, provider)
        for (const each of probe.listCases(pathOf)) {
          const field = await findSilentField(each, options)
          if (field !== undefined) silent.add(`${field} at ${provider}`)
        }
      }
      expect([...silent]).toEqual([])
    }
  )

  test.each(operationProbes)(
    "no field of $name is lost in silence",
    { timeout: 900_000 },
    async (probe) => {
      await using server = await startOperations()
      const silent = new Set<string>()
      for (const provider of operationProviders) {
        const options = probe.toOptions(server, provider)
        for (const each of probe.listCases(pathOf)) {
          const field = await findSilentField(each, options)
          if (field !== undefined) silent.add(`${field} at ${provider}`)
        }
      }
      expect([...silent]).toEqual([])
    }
  )
})
