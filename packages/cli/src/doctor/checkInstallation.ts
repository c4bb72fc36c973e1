/** Checks the versions of Node, `effect` and the packages of Signalbox that an application loads. */
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Check, fail, pass } from "./Check.ts"

interface Installed {
  readonly name: string
  readonly version: string
  /** The real path of its folder. */
  readonly path: string
}

/** `folders` are the folders whose imports count: the application's and this program's. */
export const checkInstallation = (
  folders: ReadonlyArray<string>,
  nodeVersion: string
): ReadonlyArray<Check> => {
  const packages = unique(folders.flatMap(listSignalboxPackages))
  const effects = unique(
    [...folders, ...packages.map(({ path }) => path)].flatMap(
      (folder) => findPackage("effect", folder) ?? []
    )
  )
  return [checkNode(nodeVersion), checkEffect(effects), checkVersions(packages)]
}

const checkNode = (version: string): Check =>
  isAtLeast(version, leastNode)
    ? pass("Node", version)
    : fail("Node", `${version} is too old`, `install Node ${leastNode} or newer`)

const checkEffect = (copies: ReadonlyArray<Installed>): Check => {
  const [only, ...others] = copies
  if (only === undefined) {
    return fail("effect", "it is not installed", `npm install effect@^${leastEffect}`)
  }
  if (others.length > 0) {
    return fail(
      "effect",
      `${copies.length} copies: ${describe(copies)}`,
      "services of one copy are unknown to the other: use one version everywhere, then npm dedupe"
    )
  }
  const [major] = leastEffect.split(".")
  return only.version.split(".")[0] === major && isAtLeast(only.version, leastEffect)
    ? pass("effect", `${only.version}, one copy`)
    : fail(
        "effect",
        `${only.version} is out of range, in ${only.path}`,
        `npm install effect@^${leastEffect}`
      )
}

const checkVersions = (packages: ReadonlyArray<Installed>): Check => {
  const versions = new Set(packages.map(({ version }) => version))
  const names = new Set(packages.map(({ name }) => name))
  if (versions.size <= 1 && names.size === packages.length) {
    return pass("@signalbox/*", `${[...versions].join()}, ${packages.length} packages`)
  }
  return fail(
    "@signalbox/*",
    versions.size > 1
      ? `${versions.size} versions: ${describe(packages)}`
      : `some are there twice: ${describe(packages)}`,
    `install the same version of ${[...names].join(", ")}`
  )
}

const describe = (copies: ReadonlyArray<Installed>): string =>
  copies.map(({ name, path, version }) => `${name} ${version} in ${path}`).join(", ")

// The same version as in the manifest.
const leastNode = "22.19.0"
const leastEffect = "4.1.0"

const isAtLeast = (version: string, least: string): boolean => {
  const [wanted, given] = [toParts(least), toParts(version)]
  const at = wanted.findIndex((part, index) => part !== given[index])
  // A prerelease comes before the release of its three parts.
  if (at === -1) return !version.includes("-")
  return Number(given[at]) > Number(wanted[at])
}

const toParts = (text: string): ReadonlyArray<number> =>
  text.replace(/^v/, "").split(/[.-]/, 3).map(Number)

const unique = (packages: ReadonlyArray<Installed>): ReadonlyArray<Installed> =>
  Array.from(new Map(packages.map((each) => [each.path, each])).values())

const listSignalboxPackages = (folder: string): ReadonlyArray<Installed> =>
  listAncestors(folder).flatMap((ancestor) => {
    const scope = join(ancestor, "node_modules/@signalbox")
    return existsSync(scope)
      ? readdirSync(scope).flatMap((name) => findPackage(`@signalbox/${name}`, ancestor) ?? [])
      : []
  })

/** Finds the package like Node for an import in `folder`. */
const findPackage = (name: string, folder: string): Installed | undefined => {
  const found = listAncestors(folder)
    .map((ancestor) => join(ancestor, "node_modules", name))
    .find((path) => existsSync(join(path, "package.json")))
  return found === undefined ? undefined : readPackage(found)
}

const listAncestors = (folder: string): ReadonlyArray<string> => {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...listAncestors(parent)]
}

const readPackage = (folder: string): Installed => {
  const path = realpathSync(folder)
  const { name, version }: { readonly name: string; readonly version: string } = JSON.parse(
    readFileSync(join(path, "package.json"), "utf8")
  )
  return { name, version, path }
}
