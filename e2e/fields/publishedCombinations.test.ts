/** Random combinations of the fields of published schemas: none is lost in silence. */
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { describeWithReference } from "../../packages/core/test/reference.ts"
import { startForFields } from "./askForField.ts"
import { fieldProviders } from "./FieldRow.ts"
import { findSilentField } from "./findSilentField.ts"
import { chatProbes, operationProbes } from "./publishedProbes.ts"
import { operationProviders, startOperations } from "./startOperations.ts"

/** The same requests each time: `publishedFields.test.ts` tries every field. */
const runs = { seed: 20, numRuns: 40 }

describeWithReference("combinations of published fields", (pathOf) => {
  test.each(chatProbes)("of $name", { timeout: 120_000 }, async (probe) => {
    await using server = await startForFields()
    const trying = tryCombinations(probe.listCases(pathOf), fieldProviders, (provider) =>
      probe.toOptions(server, provider)
    )
    await expect(trying).resolves.toBeUndefined()
  })

  test.each(operationProbes)("of $name", { timeout: 120_000 }, async (probe) => {
    await using server = await startOperations()
    const trying = tryCombinations(probe.listCases(pathOf), operationProviders, (provider) =>
      probe.toOptions(server, provider)
    )
    await expect(trying).resolves.toBeUndefined()
  })
})

type Case = Parameters<typeof findSilentField>[0]

/** Tries each case beside up to two others. */
const tryCombinations = async <Provider>(
  cases: ReadonlyArray<Case>,
  providers: ReadonlyArray<Provider>,
  toOptions: (provider: Provider) => Parameters<typeof findSilentField>[1]
): Promise<void> => {
  const one = fc.constantFrom(...cases)
  const property = fc.asyncProperty(
    fc.constantFrom(...providers),
    one,
    fc.array(one, { maxLength: 2 }),
    async (provider, tried, others) => {
      expect(
        await findSilentField(tried, toOptions(provider), toFields(tried, others))
      ).toBeUndefined()
    }
  )
  await fc.assert(property, runs)
}

/** The fields of other cases beside one of them. */
const toFields = ({ path }: Case, others: ReadonlyArray<Case>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    others.flatMap(({ path: [name], value }) =>
      typeof name === "string" && name !== path[0]
        ? Object.entries(value as object).filter(([each]) => each === name)
        : []
    )
  )
