/** The size of installed packages in MB, in blocks of 4 kB as `du` counts. */
import { globSync, statSync } from "node:fs"
import { join } from "node:path"

export const measureInstalledSize = (project: string, packages: ReadonlyArray<string>): number => {
  let blocks = 0
  for (const name of packages) {
    for (const file of globSync("**/*", { cwd: join(project, "node_modules", name) })) {
      const stats = statSync(join(project, "node_modules", name, file))
      blocks += stats.isFile() ? Math.ceil(stats.size / 4096) : 1
    }
  }
  return (blocks * 4096) / 1e6
}
