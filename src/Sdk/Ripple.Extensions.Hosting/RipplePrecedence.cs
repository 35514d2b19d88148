namespace Ripple.Extensions.Hosting;

/// <summary>Where releases stand among the other sources of configuration: the later one wins.</summary>
public enum RipplePrecedence
{
    /// <summary>
    /// Above the files, below environment variables and the command line: who runs one process can override what is published for all.
    /// Where neither is there, at the end of the sources there are.
    /// </summary>
    BelowEnvironment,

    /// <summary>At the end of the sources there are when Ripple is added: a release overrides them.</summary>
    Highest,
}
