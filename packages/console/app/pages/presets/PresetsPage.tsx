/** Presets: which there are, what their versions set, and what their requests cost. */
import type { PageProps } from "../../shell/Page.ts"
import { PresetDetail } from "./PresetDetail.tsx"
import { PresetList } from "./PresetList.tsx"

export const PresetsPage = ({ location, session }: PageProps) => {
  const [, slug] = location.path
  return slug === undefined ? (
    <PresetList session={session} />
  ) : (
    <PresetDetail key={slug} slug={slug} query={location.query} />
  )
}
