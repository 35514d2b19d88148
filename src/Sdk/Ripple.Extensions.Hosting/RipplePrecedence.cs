namespace Ripple.Extensions.Hosting;

/// <summary>The position of releases among the other configuration sources; later sources override earlier ones.</summary>
public enum RipplePrecedence
{
    /// <summary>
    /// Above the files and below environment variables and the command line, so that the operator of one process can override values
    /// published for all. At the end of the existing sources if there are neither.
    /// </summary>
    BelowEnvironment,

    /// <summary>At the end of the sources present when Ripple is added: releases override them.</summary>
    Highest,
}
