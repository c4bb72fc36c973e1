/** A framework that the contract of hosts is tested in. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { HostContractOptions, MakeHarness } from "@signalbox/testing/contracts"

export interface Host {
  readonly name: string
  readonly makeHarness: MakeHarness
  readonly traits: HostContractOptions
}

/** Read from its file, because some packages do not export their manifest. */
export const getInstalled = (
  name: string,
  major: number
): NonNullable<HostContractOptions["installed"]> => {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../node_modules", name, "package.json"), "utf8")
  )
  return { version: manifest.version, major }
}
