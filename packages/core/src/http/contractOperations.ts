/** The operations of the contract, one by one. */
import * as Context from "effect/Context"
import { Api } from "./Api.ts"
import type { ContractOperation } from "./contract/ContractOperation.ts"

type Groups = (typeof Api)["groups"]

/** Such as `keys.list`. */
export type OperationId = {
  [Group in keyof Groups]: `${Group}.${Extract<keyof Groups[Group]["endpoints"], string>}`
}[keyof Groups]

export const contractOperations: ReadonlyArray<ContractOperation> = Object.values(
  Api.groups
).flatMap((group) =>
  Object.values(group.endpoints).map((endpoint) => ({
    group: group.identifier,
    name: endpoint.identifier,
    endpoint,
    annotations: Context.merge(group.annotations, endpoint.annotations)
  }))
)

/** The endpoint of an operation. */
export type EndpointOf<Id extends OperationId> = Id extends `${infer Group}.${infer Name}`
  ? Group extends keyof Groups
    ? Name extends keyof Groups[Group]["endpoints"]
      ? Groups[Group]["endpoints"][Name]
      : never
    : never
  : never
