/** The pictures of one screen. */
export interface Group {
  readonly name: string
  readonly files: readonly string[]
}

const style = `
:root{color-scheme:light dark}
body{margin:0 auto;padding:2rem;font:16px/1.5 system-ui,sans-serif;background:light-dark(#e9ebef,#1b1d22)}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:1rem 0 2rem}
h2{margin:3rem 0 1rem;font-size:1.125rem}
.pictures{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}
figure{margin:0;max-width:28rem}
img{display:block;max-width:100%;height:auto;border:1px solid light-dark(#c8cdd6,#414855)}
figcaption{font-size:.8125rem}
.unread{font-weight:600;color:light-dark(#9d1620,#ffb3b0)}
`

/** A page with all pictures. */
export function galleryPage(
  groups: readonly Group[],
  unread: readonly (readonly [language: string, count: number])[]
): string {
  const isUnread = (file: string): boolean =>
    unread.some(([language, count]) => count > 0 && file.includes(`-${language}-`))
  const notes = unread.map(([language, count]) =>
    count > 0
      ? `<li class="unread">${language}: no speaker has read ${count} of its texts yet</li>`
      : `<li>${language}: every text has been read by a speaker</li>`
  )
  const links = groups.map(({ name }) => `<a href="#${name}">${name}</a>`)
  const figure = (file: string): string => {
    const note = isUnread(file) ? ' · <span class="unread">not read by a speaker</span>' : ''
    const caption = `<figcaption>${file.replace('.png', '')}${note}</figcaption>`
    return `<figure><a href="${file}"><img src="${file}" alt="" loading="lazy"></a>${caption}</figure>`
  }
  const sections = groups.map(
    ({ name, files }) =>
      `<h2 id="${name}">${name}</h2>\n<div class="pictures">\n${files.map(figure).join('\n')}\n</div>`
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Postern: every screen</title>
<style>${style}</style>
</head>
<body>
<h1>Every screen and mail</h1>
<ul>
${notes.join('\n')}
</ul>
<nav>${links.join('\n')}</nav>
${sections.join('\n')}
</body>
</html>
`
}
