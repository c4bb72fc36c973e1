import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as NetAddress from "effect/net/NetAddress"
import { publicAddresses, type ResolveName } from "../../src/outbound/publicAddresses.ts"

const zone: Readonly<Record<string, ReadonlyArray<string>>> = {
  "both.example": ["8.8.8.8", "2606:4700::1111"],
  "four.example": ["8.8.8.8", "1.1.1.1"],
  "six.example": ["2606:4700::1111"],
  "one-is-private.example": ["8.8.8.8", "10.0.0.1"],
  "six-is-private.example": ["8.8.8.8", "fd00:ec2::254"],
  "mapped.example": ["::ffff:8.8.8.8"],
  "metadata.example": ["169.254.169.254"],
  "wire-server.example": ["168.63.129.16"],
  "loopback.example": ["127.0.0.1"]
}

const resolveName: ResolveName = async (name, family) => {
  const found = (zone[name] ?? []).filter((text) => text.includes(":") === (family === 6))
  if (found.length === 0) throw new Error("ENODATA")
  return found
}

const resolve = (name: string) =>
  publicAddresses(name, resolveName).pipe(
    Effect.map((addresses): ReadonlyArray<string> => addresses.map(NetAddress.formatIp)),
    Effect.catch((error) => Effect.succeed(error._tag))
  )

describe("publicAddresses", () => {
  it.effect.each([
    ["both.example", ["8.8.8.8", "2606:4700::1111"]],
    ["four.example", ["8.8.8.8", "1.1.1.1"]],
    ["six.example", ["2606:4700::1111"]],
    ["8.8.8.8", ["8.8.8.8"]],
    ["127.0.0.1", "NotPublic"],
    ["::1", "NotPublic"],
    ["one-is-private.example", "NotPublic"],
    ["six-is-private.example", "NotPublic"],
    ["mapped.example", "NotPublic"],
    ["metadata.example", "NotPublic"],
    ["wire-server.example", "NotPublic"],
    ["loopback.example", "NotPublic"],
    ["nowhere.example", "Unresolved"],
    ["no name at all", "Unresolved"]
  ] as const)("of %s are %j", ([name, expected]) =>
    Effect.map(resolve(name), (found) => assert.deepStrictEqual(found, expected))
  )
})
