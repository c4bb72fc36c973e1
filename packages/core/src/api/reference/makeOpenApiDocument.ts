/** Makes the OpenAPI 3.1 document. `servers` is the mount, so the paths can be called as they are. */
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../Api.ts"
import { type Endpoint, listOperations } from "../contract/Operation.ts"
import { findParameterRule } from "../contract/ParameterRule.ts"

let document: OpenApi.OpenAPISpec | undefined

export const makeOpenApiDocument = (mount: string): OpenApi.OpenAPISpec => {
  document ??= describeOperations(OpenApi.fromApi(Api))
  return { ...document, servers: [{ url: mount === "" ? "/" : mount }] }
}

/** Adds the types and bounds of parameters, whose schemas are text, and the key that an operation requires. */
const describeOperations = (spec: OpenApi.OpenAPISpec): OpenApi.OpenAPISpec => {
  for (const { endpoint, requiredCaller } of listOperations(...Object.values(Api.groups))) {
    const operation = findOperation(spec, endpoint)
    if (operation === undefined) continue
    const schemas = new Map([
      ...listParameterSchemas("path", endpoint.params),
      ...listParameterSchemas("query", endpoint.query),
      ...listParameterSchemas("header", endpoint.headers)
    ])
    for (const parameter of operation.parameters) {
      parameter.schema = schemas.get(`${parameter.in} ${parameter.name}`) ?? parameter.schema
    }
    if (requiredCaller !== "any") Object.assign(operation, { "x-required-key": requiredCaller })
  }
  return spec
}

const findOperation = (
  { paths }: OpenApi.OpenAPISpec,
  { method, path }: Endpoint
): OpenApi.OpenAPISpecOperation | undefined => {
  const item = paths[path.replaceAll(/:(\w+)/g, "{$1}")]
  const operation = Object.entries(item ?? {}).find(([name]) => name === method.toLowerCase())?.[1]
  return operation !== undefined && "responses" in operation ? operation : undefined
}

const listParameterSchemas = (
  location: string,
  schema: Endpoint["query"]
): ReadonlyArray<readonly [key: string, schema: object]> =>
  schema?.ast._tag === "Objects"
    ? schema.ast.propertySignatures.flatMap(({ name, type }) => {
        const rule = findParameterRule(type)
        return rule === undefined ? [] : [[`${location} ${String(name)}`, rule.jsonSchema] as const]
      })
    : []
