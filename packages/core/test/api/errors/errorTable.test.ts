import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { assert, describe, it } from "vitest"
import { commonErrors } from "../../../src/api/contract/ErrorEnvelope.ts"
import { ErrorFormat } from "../../../src/api/contract/operationAnnotations.ts"
import { Api } from "../../../src/api/Api.ts"
import { listOperations, toOperationId } from "../../../src/api/contract/Operation.ts"
import { contractOperations } from "../../../src/api/contractOperations.ts"
import type { EnvelopeName } from "../../../src/api/errors/ErrorFacts.ts"
import { errorTable, type ReportedError } from "../../../src/api/errors/errorTable.ts"
import {
  BodyBufferFull,
  Draining,
  InternalError,
  UnknownOperation,
  UnknownPath
} from "../../../src/api/errors/HttpErrors.ts"
import { toErrorResponse } from "../../../src/api/errors/toErrorResponse.ts"
import { findErrorRules } from "../../../src/api/server/IncomingRequest.ts"
import {
  InternChatForbidden,
  InternChatTooManyRequests,
  InternChatUnauthorized
} from "../../../src/api/interns/internChatEndpoint.ts"
import { OptionFailed } from "../../../src/values/errors/RequestErrors.ts"
import { errorCases } from "./errorCases.ts"

const errorsByTag: Readonly<Record<string, ReadonlyArray<ReportedError>>> = {
  ...errorCases,
  BodyBufferFull: [new BodyBufferFull()],
  Draining: [new Draining()],
  InternalError: [new InternalError()],
  OptionFailed: [new OptionFailed({ option: "stores", cause: "x" })],
  UnknownOperation: [new UnknownOperation({ method: "GET", path: "/api/v1/x" })],
  UnknownPath: [new UnknownPath({}), new UnknownPath({ advice: "mount it" })]
}

const findStatus = SchemaAST.resolveAt<number>("httpApiStatus")

/** The errors that the middlewares of the operations declare. */
const middlewareErrors: Readonly<Record<EnvelopeName, ReadonlyArray<Schema.Top>>> = {
  openrouter: commonErrors,
  intern: [],
  internChat: [InternChatUnauthorized, InternChatForbidden, InternChatTooManyRequests],
  messages: []
}

/** The bodies that the operations with an envelope declare, by status. */
const listBodies = (envelope: EnvelopeName) =>
  new Map(
    listOperations(...Object.values(Api.groups))
      .filter(({ annotations }) => Context.get(annotations, ErrorFormat) === envelope)
      .flatMap(({ endpoint }) => Array.from(endpoint.error))
      .concat(middlewareErrors[envelope])
      .map((schema) => [findStatus(schema.ast), schema] as const)
  )

const examples = {
  openrouter: "keys.list",
  intern: "interns.create",
  internChat: "interns.chat"
} as const

describe.each(["openrouter", "intern", "internChat"] as const)("the %s envelope", (envelope) => {
  const bodies = listBodies(envelope)

  it.each(Object.keys(errorTable))("declares the response to %s", (tag) => {
    const errors = errorsByTag[tag] ?? []
    assert.isNotEmpty(errors)
    for (const error of errors) {
      // Only chats with interns report it over HTTP.
      if (envelope === "openrouter" && error._tag === "InternChatFailure") continue
      const { code, message, metadata, status } = toErrorResponse(
        error,
        findErrorRules(
          contractOperations.find((operation) => toOperationId(operation) === examples[envelope])
        )
      )
      const schema = bodies.get(status)
      assert.isDefined(schema, `${status} is not declared`)
      const body = {
        error: { code: code ?? status, message, ...(metadata === undefined ? {} : { metadata }) }
      }
      assert.isTrue(Schema.is(schema)(body), JSON.stringify(body))
    }
  })
})
