using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Configuration.EnvironmentVariables;

namespace Ripple.Extensions.Hosting.Configuration;

/// <summary>Finds the position of releases among a host's configuration sources.</summary>
internal static class SourcePosition
{
    private const string CommandLine = "Microsoft.Extensions.Configuration.CommandLine.CommandLineConfigurationSource";

    /// <summary>The index to insert at.</summary>
    public static int Find(IList<IConfigurationSource> sources, RipplePrecedence precedence)
    {
        if (precedence == RipplePrecedence.Highest)
        {
            return sources.Count;
        }

        // Before the files, hosts read prefixed variables (DOTNET_, ASPNETCORE_) and the command line for their own settings; those remain
        // below the releases.
        for (int i = 0; i < sources.Count; i++)
        {
            if (sources[i] is EnvironmentVariablesConfigurationSource { Prefix: null or "" })
            {
                return i;
            }
        }

        int end = sources.Count;
        while (end > 0 && sources[end - 1].GetType().FullName == CommandLine)
        {
            end--;
        }

        return end;
    }
}
