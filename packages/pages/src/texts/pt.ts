import { durations } from './duration.ts'
import type { Texts } from './texts.ts'

/** Portuguese, as in Portugal. */
export const pt: Texts = {
  lang: 'pt',
  dir: 'ltr',
  unread: 'all',
  titles: {
    signin: 'Entrar',
    signout: 'Sair',
    'verify-request': 'Verifique o seu e-mail',
    confirm: 'Confirmar a entrada',
    error: 'Erro',
    'start-again': 'Começar de novo',
    'other-user': 'Sessão já iniciada',
    'used-link': 'Sessão já iniciada',
    'confirm-link': 'Ligar contas',
    welcome: 'Boas-vindas'
  },
  failed: (title) => `Erro: ${title}`,
  reference: (id) => `Referência: ${id}`,
  support: 'Contactar o apoio',
  duration: durations('pt', {
    second: { one: '# segundo', other: '# segundos' },
    minute: { one: '# minuto', other: '# minutos' },
    hour: { one: '# hora', other: '# horas' },
    day: { one: '# dia', other: '# dias' }
  }),
  signIn: {
    heading: 'Entrar',
    lead: (siteName) => `para continuar em ${siteName}`,
    submit: (provider) => `Entrar com ${provider}`,
    byEmail: 'Receber um link para entrar por e-mail',
    byEmailInstead: 'Receber antes um link por e-mail',
    byCode: 'Receber um código para entrar por e-mail',
    byCodeInstead: 'Receber antes um código por e-mail',
    byCredentials: 'Entrar com as suas credenciais',
    email: 'Endereço de e-mail',
    emailExample: 'nome@example.com',
    or: 'ou',
    none: 'Ainda não há nenhuma forma de entrar aqui.',
    next: 'Continuar',
    newHere: 'Primeira vez aqui?',
    lastUsed: 'Último usado',
    showPassword: 'Mostrar palavra-passe',
    more: 'Mais formas de entrar',
    continueAs: (user) => `Continuar como ${user}`,
    anotherAccount: 'Usar outra conta',
    wrongPassword: {
      text: 'Endereço de e-mail ou palavra-passe incorretos.',
      next: 'Verifique ambos e tente novamente.'
    },
    limited: { text: 'Demasiadas tentativas.', next: 'Ou entre agora de outra forma.' }
  },
  stepUp: {
    heading: 'Confirme a sua identidade',
    lead: 'Para continuar, entre novamente com a mesma conta.',
    repeat: 'Depois, envie o formulário novamente.',
    mail: (address) => `Enviar um código para ${address}`,
    none: 'Não há nenhuma forma de confirmar isto aqui.',
    another: 'De outra forma',
    notNow: 'Agora não',
    wrongPassword: { text: 'Palavra-passe incorreta.', next: 'Tente novamente.' }
  },
  codes: {},
  problems: {
    Signin: {
      text: 'Não foi possível concluir a entrada.',
      next: 'Tente novamente ou entre com outra conta.'
    },
    OAuthSignin: {
      text: 'Não foi possível iniciar a entrada.',
      next: 'Tente novamente dentro de instantes ou entre com outra conta.'
    },
    OAuthCallback: {
      text: 'Não foi possível aceitar a resposta do serviço de autenticação.',
      next: 'Tente novamente ou entre com outra conta.'
    },
    OAuthCreateAccount: {
      text: 'Não foi possível criar a sua conta.',
      next: 'Tente novamente dentro de instantes ou entre com outra conta.'
    },
    EmailCreateAccount: {
      text: 'Não foi possível criar uma conta com este endereço de e-mail.',
      next: 'Tente novamente dentro de instantes ou use outro endereço.'
    },
    Callback: {
      text: 'Ocorreu um problema durante a entrada.',
      next: 'Tente novamente ou entre com outra conta.'
    },
    OAuthAccountNotLinked: {
      text: 'Esta não é a conta que usou aqui anteriormente.',
      next: 'Para confirmar a sua identidade, entre com a mesma conta que usou da primeira vez.'
    },
    EmailSignin: {
      text: 'Não foi possível enviar o e-mail.',
      next: 'Verifique o endereço e tente novamente dentro de instantes.'
    },
    CredentialsSignin: {
      text: 'Não foi possível entrar.',
      next: 'Verifique se os dados introduzidos estão corretos.'
    },
    SessionRequired: {
      text: 'Entre para ter acesso a esta página.',
      next: 'Depois voltará a ela.'
    },
    UnmetRequirements: {
      text: 'Esta forma de entrar não confirmou o suficiente.',
      next: 'Entre lá novamente ou use outra forma.'
    },
    DifferentUser: {
      text: 'Esta conta pertence a outra pessoa ou não é de ninguém aqui.',
      next: 'Use uma conta da pessoa que entrou ou saia primeiro.'
    },
    Default: {
      text: 'Não foi possível entrar.',
      next: 'Tente novamente ou entre com outra conta.'
    }
  },
  reasons: {
    'session-expired': { text: 'A sua sessão expirou.', next: 'Entre novamente.' },
    'signed-out': {
      text: 'A sua sessão foi terminada.',
      next: 'Entre novamente para continuar.'
    },
    invalid: {
      text: 'Introduza um endereço de e-mail válido.',
      next: 'Verifique se não tem erros.'
    },
    'non-ascii': {
      text: 'Os endereços de e-mail com letras como ä ou é antes do @ não são suportados.',
      next: 'Utilize outro endereço.'
    },
    captcha: {
      text: 'A verificação de que é uma pessoa falhou.',
      next: 'Tente novamente.'
    },
    cancelled: {
      text: 'A entrada foi cancelada a seu pedido.',
      next: 'Nada foi alterado. Entre quando quiser.'
    },
    expired: { text: 'A entrada demorou demasiado tempo.', next: 'Comece de novo, por favor.' },
    unavailable: {
      text: 'O serviço de autenticação não responde neste momento.',
      next: 'Tente novamente dentro de alguns minutos.'
    },
    misconfigured: {
      text: 'Esta forma de entrar não está bem configurada.',
      next: 'Avise os responsáveis por este site, por favor.'
    }
  },
  signOut: {
    heading: 'Sair',
    question: 'Tem a certeza de que quer sair?',
    submit: 'Sair',
    stay: 'Manter a sessão'
  },
  verifyRequest: {
    heading: 'Verifique o seu e-mail',
    link: 'Foi enviado para o seu e-mail um link para entrar.',
    mail: 'Foi enviado para o seu endereço um e-mail para entrar. Abra-o e volte aqui se quiser usar o código que ele traz.',
    codeOnly: 'Foi enviado um código para o seu e-mail. Introduza-o aqui para entrar.',
    codeElsewhere: 'Foi enviado um código por e-mail. Introduza-o no navegador em que o pediu.',
    code: 'Código do e-mail',
    codeHint: (letters) => `${letters} letras. Maiúsculas, espaços e hífenes não fazem diferença.`,
    wrong: { text: 'Este código não está certo.', next: 'Compare-o com o e-mail mais recente e tente novamente.' },
    triesLeft: (left) => (left === 1 ? 'Resta 1 tentativa.' : `Restam ${left} tentativas.`),
    spent: 'Demasiados códigos errados. Este e-mail já não é válido.',
    sendNew: (address) => `Enviar um novo e-mail para ${address}`,
    submit: 'Entrar',
    missing: 'Não chegou nada depois de um minuto? Procure na pasta de spam.',
    again: 'Pedir um novo e-mail',
    otherAddress: 'Usar outro endereço'
  },
  confirm: {
    heading: 'Reconhece esta entrada?',
    lead: (siteName) => `Abriu um link para entrar em ${siteName} como:`,
    submit: 'Sim, entrar',
    warning: 'Se não pediu este e-mail, feche esta página. Ninguém entrou.'
  },
  errors: {
    Configuration: {
      heading: 'Erro do servidor',
      text: 'Há um problema com a configuração do servidor.',
      next: 'A culpa não é sua. Tente novamente mais tarde ou avise os responsáveis por este site.',
      action: 'Voltar à entrada'
    },
    AccessDenied: {
      heading: 'Acesso negado',
      text: 'Não tem permissão para entrar.',
      next: 'Se tiver outra conta, tente com ela.',
      action: 'Entrar'
    },
    PermissionRequired: {
      heading: 'Sem permissão',
      text: 'Não tem permissão para isto.',
      next: 'Se tiver outra conta com esta permissão, utilize-a.',
      action: 'Utilizar outra conta'
    },
    Verification: {
      heading: 'Não foi possível entrar',
      text: 'Este link já não é válido. Pode já ter sido usado ou ter expirado.',
      next: 'Entre novamente para receber outro.',
      action: 'Entrar'
    },
    ImpersonationForbidden: {
      heading: 'Não como outro utilizador',
      text: 'A sessão está iniciada como outro utilizador. Só esse utilizador pode fazer isto.',
      next: 'Pare de agir como esse utilizador e depois entre com a sua própria conta.',
      action: 'Voltar à entrada'
    },
    UserSuspended: {
      heading: 'Conta suspensa',
      text: 'Esta conta foi suspensa, por isso não pode entrar com ela.',
      next: 'Se acha que se trata de um erro, contacte os responsáveis por este site.',
      action: 'Voltar à entrada'
    },
    RateLimited: {
      heading: 'Demasiadas tentativas',
      text: 'Houve muitas tentativas de entrada em pouco tempo. Fazemos uma pausa para proteger as contas.',
      next: 'Espere um pouco e tente novamente.',
      action: 'Voltar à entrada'
    },
    StoreConflict: {
      heading: 'Os dados não coincidem',
      text: 'Este site já tem outros dados que o contradizem, por isso nada foi guardado.',
      next: 'Contacte os responsáveis por este site.',
      action: 'Voltar à entrada'
    },
    UserReferenced: {
      heading: 'Conta ainda em uso',
      text: 'Esta conta não pode ser eliminada, porque este site ainda tem dados que dependem dela. Nada foi eliminado nem encerrado.',
      next: 'Contacte os responsáveis por este site.',
      action: 'Voltar à entrada'
    },
    StoreUnavailable: {
      heading: 'Voltamos já',
      text: 'Neste momento não é possível entrar, porque uma parte deste site não responde.',
      next: 'A sua sessão não foi encerrada. Tente novamente dentro de um minuto.',
      action: 'Tentar novamente'
    },
    NotFound: {
      heading: 'Página não encontrada',
      text: 'Não há nenhuma página neste endereço.',
      next: 'Pode estar mal escrito ou já não existir.',
      action: 'Voltar à entrada'
    },
    Default: {
      heading: 'Erro',
      text: 'Ocorreu um problema.',
      next: 'Tente novamente. Se voltar a acontecer, avise os responsáveis por este site.',
      action: 'Entrar'
    }
  },
  wait: (duration) => `Espere ${duration} e tente novamente.`,
  startAgain: {
    heading: 'Vamos começar de novo',
    text: 'Esta entrada demorou demasiado tempo ou foi iniciada noutro navegador. Nada foi alterado.'
  },
  otherUser: {
    heading: 'A sessão já está iniciada',
    user: 'Neste navegador está agora aberta a sessão de:',
    text: (provider) =>
      `Antes disso, começou a entrar com ${provider}. Interrompemos essa entrada para não misturar as duas sessões. Continue assim ou comece de novo.`,
    stay: 'Continuar assim'
  },
  confirmLink: {
    heading: 'Ligar esta conta?',
    user: 'Sessão iniciada como',
    account: (provider) => `A sua conta ${provider}:`,
    text: (provider) =>
      `Depois, quem puder entrar nesta conta ${provider} também poderá entrar aqui. Continue apenas se ambas forem suas.`,
    submit: 'Ligar',
    stay: 'Agora não'
  },
  toSite: (siteName) => `Voltar a ${siteName}`,
  usedLink: {
    heading: 'A sessão já está iniciada',
    user: 'Sessão iniciada como',
    text: 'Este link já foi usado ou expirou. Já não precisa dele.',
    submit: 'Continuar'
  },
  welcome: {
    heading: (user) => (user === null ? 'Boas-vindas' : `Boas-vindas, ${user}`),
    text: (siteName) => `A sua conta em ${siteName} está pronta.`,
    submit: 'Continuar'
  },
  mail: {
    subject: (siteName) => `Entrar em ${siteName}`,
    heading: (siteName) => `Entrar em ${siteName}`,
    identifier: 'Vai entrar como',
    submit: 'Entrar',
    link: 'Se o botão não funcionar, abra este endereço no seu navegador:',
    code: 'Introduza este código na página em que pediu este e-mail:',
    orCode: 'Ou introduza este código na página em que pediu este e-mail:',
    expiry: (duration) => `Válido durante ${duration} e uma única vez.`,
    requested: (details) => `Pedido: ${details}`,
    ignore: 'Se não pediu este e-mail, ignore-o. Sem ele ninguém consegue entrar.'
  }
}
