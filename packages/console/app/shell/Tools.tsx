/** What holds on every page: the way to any page, the keys, the zone of times, the theme, the age of what is shown, and the way out. */
import { setPreferences, themes, usePreferences } from "../preferences/preferences.ts"
import { Freshness } from "./Freshness.tsx"
import { GoTo } from "./GoTo.tsx"
import { KeyHelp } from "./KeyHelp.tsx"

export const Tools = ({ signOutUrl }: { readonly signOutUrl: string | null }) => {
  const { isUtc, theme } = usePreferences()
  return (
    <div class="tools">
      <GoTo />
      <KeyHelp />
      <button
        type="button"
        aria-pressed={isUtc}
        title="Show times in UTC"
        onClick={() => setPreferences({ isUtc: !isUtc })}
      >
        UTC
      </button>
      <Freshness />
      <select
        aria-label="Theme"
        value={theme}
        onChange={({ currentTarget: { value } }) =>
          setPreferences({ theme: themes.find((each) => each === value) ?? "system" })
        }
      >
        <option value="system">Theme of the system</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
      {signOutUrl !== null && <a href={signOutUrl}>Sign out</a>}
    </div>
  )
}
