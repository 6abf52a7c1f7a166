# The manual page and the shells' completions are printed by the program itself.
set(texts ${CMAKE_BINARY_DIR}/share)
set(manual ${texts}/kilter.1)
set(shells ${texts}/kilter.bash ${texts}/kilter.zsh ${texts}/kilter.fish)
add_custom_command(
  OUTPUT ${manual} ${shells}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${texts}
  COMMAND kilter man > ${manual}
  COMMAND kilter completion bash > ${texts}/kilter.bash
  COMMAND kilter completion zsh > ${texts}/kilter.zsh
  COMMAND kilter completion fish > ${texts}/kilter.fish
  DEPENDS kilter
  VERBATIM)
add_custom_target(texts ALL DEPENDS ${manual} ${shells})

install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT texts)
install(FILES ${texts}/kilter.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME kilter
        COMPONENT texts)
install(FILES ${texts}/kilter.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _kilter COMPONENT texts)
install(FILES ${texts}/kilter.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT texts)

set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Kilter developers")
include(CPack)
