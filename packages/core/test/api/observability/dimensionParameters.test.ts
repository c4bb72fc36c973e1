import { assert, describe, it } from "vitest"
import { makeOpenApiDocument } from "../../../src/api/reference/makeOpenApiDocument.ts"
import { parseDimension } from "../../../src/values/Dimension.ts"

interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters: Parameters } }>>
}
type Parameters = ReadonlyArray<{
  readonly name: string
  readonly schema: { readonly pattern?: string }
}>

describe("the pattern of group_by in the OpenAPI document", () => {
  const { paths }: Document = JSON.parse(JSON.stringify(makeOpenApiDocument("")))
  const parameters = paths["/api/v1/signalbox/series"]?.get?.parameters
  const pattern = parameters?.find(({ name }) => name === "group_by")?.schema.pattern

  it.each([
    "user",
    "tag:customer",
    "tag:customer,model",
    "workspace,model",
    "workspace,user",
    "user,workspace",
    "model,user"
  ])("matches what the operation takes, and nothing else: %s", (text) =>
    assert.strictEqual(new RegExp(pattern ?? "").test(text), parseDimension(text) !== undefined)
  )
})
