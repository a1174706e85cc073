import type { TextKey } from './en.ts'

export const pt: Readonly<Record<TextKey, string>> = {
  locale: 'pt',
  name: 'Chave de acesso',
  signIn: 'Entrar com uma chave de acesso',
  signInText: 'Seu dispositivo pede sua impressão digital, seu rosto ou o bloqueio de tela.',
  needsScript: 'As chaves de acesso exigem JavaScript e um navegador compatível.',
  otherWays: 'Outras formas de entrar',
  cancelled: 'Nenhuma chave de acesso foi usada. Tente novamente ou entre de outra forma.',

  passkeys: 'Chaves de acesso',
  passkeysText:
    'Entre com sua impressão digital, seu rosto ou o bloqueio de tela do seu dispositivo em vez de uma senha.',
  synced: 'Disponível em vários dispositivos.',
  local: 'Em um único dispositivo.',
  createdAt: 'Adicionada em {date}.',
  usedAt: 'Usada pela última vez em {date}.',
  add: 'Adicionar uma chave de acesso',
  verify: 'Confirme que é você para fazer alterações',
  notCreated: 'Nenhuma chave de acesso foi adicionada. Talvez este dispositivo já tenha uma para sua conta.',
  expired: 'Isso demorou demais. Tente novamente.',
  failed:
    'Não foi possível adicionar a chave de acesso. As chaves de acesso exigem JavaScript e um navegador compatível.',
  exists: 'Esta chave de acesso já foi adicionada.',
  tooMany: 'Você atingiu o número máximo de chaves de acesso. Remova uma para adicionar outra.',
  unverified: 'Para adicionar uma chave de acesso, verifique antes seu endereço de e-mail: entre por e-mail.',

  label: 'Nome',
  save: 'Salvar nome',
  remove: 'Remover chave de acesso',
  removeText: 'Você sairá em todos os outros lugares. Exclua a chave de acesso também no seu dispositivo.',
  nameMissing: 'Digite um nome.',
  conflict: 'A chave de acesso foi alterada por outra solicitação. Tente novamente.',
  lastWayIn: 'Esta é sua única forma de entrar. Adicione outra antes de removê-la.',
  back: 'Todas as chaves de acesso',
  unavailable: 'Você não pode ter chaves de acesso',
  unavailableText: 'A conta com a qual você entrou não está armazenada aqui.',

  unknownText: 'Esta chave de acesso não é conhecida aqui.',
  unknownNext: 'Talvez ela tenha sido removida. Use outra ou entre de outra forma.',
  failedText: 'Não foi possível usar a chave de acesso.',
  failedNext: 'Tente novamente ou entre de outra forma. As chaves de acesso exigem JavaScript.',
  expiredText: 'A entrada com a chave de acesso demorou demais.',
  expiredNext: 'Tente novamente.',

  mailAddedSubject: 'Uma chave de acesso foi adicionada à sua conta em {site}',
  mailAddedText:
    'A chave de acesso “{passkey}” foi adicionada à sua conta em {site} em {time}, a partir do endereço {client}.\nSe não foi você, remova-a agora. Isso desconecta todos os outros.',
  mailRemovedSubject: 'Uma chave de acesso foi removida da sua conta em {site}',
  mailRemovedText:
    'A chave de acesso “{passkey}” foi removida da sua conta em {site} em {time}, a partir do endereço {client}.\nSe não foi você, entre e verifique as formas de entrar na sua conta.',
  mailCopiedSubject: 'Uma chave de acesso de {site} pode ter sido copiada',
  mailCopiedText:
    'Alguém tentou entrar em {site} com a chave de acesso “{passkey}” em {time}, a partir do endereço {client}. O contador dela indica que pode haver uma cópia, por isso a entrada foi recusada.\nRemova esta chave de acesso e adicione uma nova.',
  mailButton: 'Verificar chaves de acesso'
}
