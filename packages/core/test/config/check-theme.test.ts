import t from 'tap'
import { checkTheme } from '../../src/config/check-theme.ts'

const getOptions = (theme: object): readonly string[] =>
  checkTheme({ providers: [], theme }).map(({ option }) => option)

t.test('lengths that a corner may have', async (t) => {
  for (const radius of ['', '0', '0px', '12px', '32px', '0.75rem', '2rem', '4.5px'])
    t.same(getOptions({ radius }), [], radius)
})

t.test('other lengths, and what would be more than a length', async (t) => {
  const refused = [
    '12',
    '33px',
    '2.1rem',
    '-1px',
    '12PX',
    '50%',
    '1em',
    'calc(1px)',
    '8px 9px',
    '8px;color:red',
    '8px}',
    ' 8px',
    '8px\n'
  ]
  for (const radius of refused) t.same(getOptions({ radius }), ['theme.radius'], JSON.stringify(radius))
})

t.test('lists of families', async (t) => {
  const accepted = [
    '',
    'Arial',
    'Source Sans Pro, Arial, sans-serif',
    '"Source Sans 3", system-ui',
    "'IBM Plex Sans', sans-serif",
    'ui-sans-serif,system-ui',
    '"游ゴシック", sans-serif',
    'Ébène'
  ]
  for (const font of accepted) t.same(getOptions({ font }), [], font)
})

t.test('what names no family, and what would be more than a list of them', async (t) => {
  const refused = [
    ',',
    'Arial,',
    'Arial;',
    'Arial}body{display:none',
    'Arial, inherit',
    'Source Sans 3',
    '"Arial',
    '"Ari"al"',
    `"Arial'`,
    'url(https://fonts.example/x)',
    '"a\\"',
    '"</style>"',
    'Arial/**/',
    'Arial\n',
    'Arial,\u0000serif',
    `${'a'.repeat(300)}b`
  ]
  for (const font of refused) t.same(getOptions({ font }), ['theme.font'], JSON.stringify(font))
})
