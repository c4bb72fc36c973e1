/** The OpenAPI 3.1 document; `servers` is the mount, so its paths can be called as they stand. */
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "./api/Api.ts"

let document: OpenApi.OpenAPISpec | undefined

export const makeOpenApiDocument = (mount: string): OpenApi.OpenAPISpec => {
  document ??= OpenApi.fromApi(Api)
  return { ...document, servers: [{ url: mount === "" ? "/" : mount }] }
}
