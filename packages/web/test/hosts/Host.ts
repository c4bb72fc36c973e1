/** A framework that the contract of hosts is tested in. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { HostContractOptions, MakeHarness } from "@signalbox/testing/contracts"

export interface Host {
  readonly name: string
  readonly makeHarness: MakeHarness
  readonly traits: HostContractOptions
}

/** The folder whose dependencies are the current versions. */
export const current = join(import.meta.dirname, "../..")

/** Read from its file, because some packages do not export their manifest. */
export const getInstalled = (
  folder: string,
  name: string,
  major: number
): NonNullable<HostContractOptions["installed"]> => {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")
  )
  return { version: manifest.version, major }
}

/** Loads a dependency of a folder. */
export const requireFrom = (folder: string): NodeJS.Require =>
  createRequire(join(folder, "package.json"))
