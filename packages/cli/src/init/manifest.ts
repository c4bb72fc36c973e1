/** The `package.json` of a new folder. */
import type { FolderPlan } from "./FolderPlan.ts"

/** What exports `Signalbox`. */
export const hostPackages: Readonly<Record<FolderPlan["host"], string>> = {
  express: "@signalbox/express",
  standalone: "@signalbox/node"
}

/** What a folder needs: for one that has a `package.json`, `signalbox init` says it. */
export const listDependencies = ({
  host,
  provider,
  version
}: FolderPlan): Readonly<Record<string, string>> => {
  const ours = ["@signalbox/cli", hostPackages[host], `@signalbox/${provider}`]
  return {
    ...Object.fromEntries(ours.map((name) => [name, `^${version}`])),
    effect: "^4.1.0",
    ...(host === "express" ? { express: "^5.0.0" } : undefined)
  }
}

export const listDevDependencies = ({
  host
}: Pick<FolderPlan, "host">): Readonly<Record<string, string>> => ({
  ...(host === "express" ? { "@types/express": "^5.0.0" } : undefined),
  "@types/node": "^24.0.0",
  typescript: ">=5.9"
})

export const listScripts = ({
  host
}: Pick<FolderPlan, "host">): Readonly<Record<string, string>> => ({
  check: "signalbox check && tsc",
  start: host === "express" ? "node server.mts" : "signalbox serve",
  test: "node --test"
})

export const manifest = (plan: FolderPlan): string =>
  `${JSON.stringify(
    {
      private: true,
      type: "module",
      scripts: listScripts(plan),
      dependencies: listDependencies(plan),
      devDependencies: listDevDependencies(plan),
      engines: { node: ">=22.19.0" }
    },
    undefined,
    2
  )}\n`
