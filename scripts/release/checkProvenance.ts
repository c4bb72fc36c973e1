/**
 * Fails unless npm has a provenance of every package that `PUBLISHED` lists, as JSON with a name and a version each: pnpm
 * publishes without one when it gets none.
 */
import { execFileSync } from "node:child_process"
import { setTimeout } from "node:timers/promises"

interface Published {
  readonly name: string
  readonly version: string
}

/** `view` is what npm shows of a package, and `wait` lets time pass: npm may need minutes to show what was published. */
export const findUnproven = async (
  published: ReadonlyArray<Published>,
  view: (specifier: string) => string,
  wait: () => Promise<void>
): Promise<ReadonlyArray<string>> => {
  let unproven = published.map(({ name, version }) => `${name}@${version}`)
  for (let tries = 20; tries > 0; tries--) {
    unproven = unproven.filter((specifier) => !view(specifier).includes("slsa.dev/provenance"))
    if (unproven.length === 0) break
    await wait()
  }
  return unproven
}

const viewAttestations = (specifier: string): string => {
  try {
    return execFileSync("npm", ["view", specifier, "dist.attestations", "--json"], {
      encoding: "utf8"
    })
  } catch {
    return ""
  }
}

export const checkProvenance = async (published: ReadonlyArray<Published>): Promise<void> => {
  const unproven = await findUnproven(published, viewAttestations, () => setTimeout(15_000))
  if (unproven.length > 0) throw new Error(`npm has no provenance of ${unproven.join(", ")}`)
}

if (import.meta.main) await checkProvenance(JSON.parse(process.env["PUBLISHED"] ?? "[]"))
