/** Packs every package, and installs the application with npm outside the repository, as its authors would. */
import { cpSync, mkdirSync, realpathSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import {
  installWithNpm,
  packPackages,
  run,
  toPublishedVersions
} from "../../scripts/packedProject.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the installed application. */
    readonly application: string
  }
}

const root = join(import.meta.dirname, "../..")
const dependencies = [
  "@signalbox/console",
  "@signalbox/core",
  "@signalbox/express",
  "@signalbox/node",
  "@signalbox/openai",
  "@signalbox/openrouter",
  "@signalbox/prices",
  "@signalbox/sql",
  "effect",
  "express"
]
const devDependencies = ["@signalbox/testing", "@types/express", "@types/node"]
const compilerOptions = ["--ignoreConfig", "--strict", "--exactOptionalPropertyTypes", "--noEmit"]
const modules = ["--module", "nodenext", "--allowImportingTsExtensions", "--types", "node"]

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const tarballs = await packPackages()
  const application = join(realpathSync(tarballs.directory), "application")
  mkdirSync(application)
  const toVersions = (names: ReadonlyArray<string>) => toPublishedVersions(names, root, tarballs)
  installWithNpm(application, toVersions(dependencies), toVersions(devDependencies))
  for (const file of ["application.ts", "machines.ts"]) {
    cpSync(join(import.meta.dirname, file), join(application, file))
  }
  run(
    join(root, "node_modules/.bin/tsc"),
    ["application.ts", ...compilerOptions, ...modules, "--target", "es2024"],
    application
  )
  provide("application", application)
  return () => rm(tarballs.directory, { recursive: true })
}
