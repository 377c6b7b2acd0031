# escape=`
# expected: the backtick continues lines and the backslash does not

FROM mcr.microsoft.com/windows/servercore:ltsc2022 AS base
ENV HOME=C:\
RUN powershell -Command `
    echo 1

ENV PATH_EXTRA=C:\tools\
FROM base
ENTRYPOINT C:\app.exe
ARG TARGETOS
FROM base AS out-linux
FROM base AS out-windows
# expected: both stages that the variable can choose
FROM out-${TARGETOS}
