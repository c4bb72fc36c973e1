/** What to do after `signalbox init`. */
import { type FolderPlan, providers } from "./FolderPlan.ts"
import { listDependencies, listDevDependencies, listScripts } from "./manifest.ts"
import type { WrittenFiles } from "./writeNewFiles.ts"

/** `folder` is relative to the current one; empty: that. */
export const describeFolder = (
  plan: FolderPlan,
  folder: string,
  { kept, written }: WrittenFiles
): string =>
  [
    written.length === 0 ? "Everything is there already." : `Written: ${written.join(", ")}`,
    ...(kept.length === 0 ? [] : [`Kept as they are: ${kept.join(", ")}`]),
    "",
    "Next:",
    "",
    ...(folder === "" ? [] : [`  cd ${folder}`]),
    ...(kept.includes("package.json") ? describeManifest(plan) : ["  npm install"]),
    "  npm test",
    `  cp .env.example .env     # then fill in ${listVariables(plan)}`,
    "  npm start",
    ""
  ].join("\n")

const listVariables = ({ host, provider }: FolderPlan): string =>
  [providers[provider].variable, ...(host === "express" ? ["SIGNALBOX_API_KEY"] : [])].join(" and ")

const describeManifest = (plan: FolderPlan): ReadonlyArray<string> => [
  `  npm install ${Object.keys(listDependencies(plan)).join(" ")}`,
  `  npm install --save-dev ${Object.keys(listDevDependencies(plan)).join(" ")}`,
  ...Object.entries(listScripts(plan)).map(
    ([name, script]) => `  npm pkg set scripts.${name}=${JSON.stringify(script)}`
  )
]
