import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as NetAddress from "effect/net/NetAddress"
import {
  type ResolveName,
  resolvePublicAddresses
} from "../../../src/engine/outbound/publicAddress.ts"

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
  resolvePublicAddresses(name, resolveName).pipe(
    Effect.map((addresses): ReadonlyArray<string> => addresses.map(NetAddress.formatIp)),
    Effect.catch((error) => Effect.succeed(error._tag))
  )

describe("resolvePublicAddresses", () => {
  it.effect.each([
    ["both.example", ["8.8.8.8", "2606:4700::1111"]],
    ["four.example", ["8.8.8.8", "1.1.1.1"]],
    ["six.example", ["2606:4700::1111"]],
    ["8.8.8.8", ["8.8.8.8"]],
    ["127.0.0.1", "NonPublicAddress"],
    ["::1", "NonPublicAddress"],
    ["one-is-private.example", "NonPublicAddress"],
    ["six-is-private.example", "NonPublicAddress"],
    ["mapped.example", "NonPublicAddress"],
    ["metadata.example", "NonPublicAddress"],
    ["wire-server.example", "NonPublicAddress"],
    ["loopback.example", "NonPublicAddress"],
    ["nowhere.example", "HostUnresolved"],
    ["no name at all", "HostUnresolved"]
  ] as const)("of %s are %j", ([name, expected]) =>
    Effect.map(resolve(name), (found) => assert.deepStrictEqual(found, expected))
  )
})
