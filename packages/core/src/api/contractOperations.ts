/** The operations of the contract as a list, and the types of their ids and endpoints. */
import { Api } from "./Api.ts"
import type { OperationResult } from "./operation/OperationHandler.ts"
import { type ContractOperation, listOperations } from "./contract/ContractOperation.ts"

type Groups = (typeof Api)["groups"]

/** The group and name of an operation, such as `keys.list`. */
export type OperationId = {
  [Group in keyof Groups]: `${Group}.${Extract<keyof Groups[Group]["endpoints"], string>}`
}[keyof Groups]

export const contractOperations: ReadonlyArray<ContractOperation> = Object.values(
  Api.groups
).flatMap(listOperations)

/** The type of an operation's endpoint. */
export type EndpointOf<Id extends OperationId> = Id extends `${infer Group}.${infer Name}`
  ? Group extends keyof Groups
    ? Name extends keyof Groups[Group]["endpoints"]
      ? Groups[Group]["endpoints"][Name]
      : never
    : never
  : never

/** The body of an operation's success, such as `OperationResponse<"generations.get">`. */
export type OperationResponse<Id extends OperationId> = OperationResult<EndpointOf<Id>>
