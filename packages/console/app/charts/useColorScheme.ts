/** Whether the viewer prefers dark; a change draws canvases again. */
import { useEffect, useState } from "preact/hooks"

const query = "(prefers-color-scheme: dark)"

export const useColorScheme = (): "dark" | "light" => {
  const [isDark, setDark] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const update = () => setDark(media.matches)
    media.addEventListener("change", update)
    return () => media.removeEventListener("change", update)
  }, [])
  return isDark ? "dark" : "light"
}
