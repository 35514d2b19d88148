using Ripple.Trust;

namespace Ripple.Admin.Profiles;

/// <summary>
/// Determines the cluster a tool connects to: the one given, or else the one in the environment, or else the profile saved by this user. A
/// profile is a connection string in a file that only its owner can read. Thread-safe; holds no state.
/// </summary>
public sealed class ConnectionProfile
{
    /// <summary>The environment variable that contains a connection string.</summary>
    public const string StringVariable = "RIPPLE_CONNECTION";

    /// <summary>The environment variable that contains the path of a connection file.</summary>
    public const string FileVariable = "RIPPLE_CONNECTION_FILE";

    private readonly Func<string, string?> _environment;

    /// <summary>Creates a profile.</summary>
    /// <param name="environment">Reads an environment variable; null for the process's environment.</param>
    public ConnectionProfile(Func<string, string?>? environment = null) => _environment = environment ?? Environment.GetEnvironmentVariable;

    /// <summary>
    /// The path of the profile: <c>$XDG_CONFIG_HOME/ripple/connection</c> or <c>~/.config/ripple/connection</c>; on Windows
    /// <c>%APPDATA%\Ripple\connection</c>.
    /// </summary>
    /// <exception cref="FormatException">The environment does not specify a folder for it.</exception>
    public string Path
    {
        get
        {
            if (OperatingSystem.IsWindows())
            {
                return System.IO.Path.Combine(Folder("APPDATA"), "Ripple", "connection");
            }

            // By the XDG standard, a relative path there is ignored.
            string? configuration = _environment("XDG_CONFIG_HOME");
            return configuration is not null && System.IO.Path.IsPathFullyQualified(configuration)
                ? System.IO.Path.Combine(configuration, "ripple", "connection")
                : System.IO.Path.Combine(Folder("HOME"), ".config", "ripple", "connection");
        }
    }

    /// <summary>The connection a tool should use.</summary>
    /// <param name="given">The connection given to the tool: a file or a connection string; null for none.</param>
    /// <exception cref="FormatException">There is no connection, or it is not valid. The message says where it was looked for and what to
    /// do, and contains no secret.</exception>
    public ConnectionString Resolve(string? given = null)
    {
        if (given is not null)
        {
            return Read(given);
        }

        if (_environment(StringVariable) is { Length: > 0 } text)
        {
            return Parse(text, $"The environment variable {StringVariable}");
        }

        if (_environment(FileVariable) is { Length: > 0 } file)
        {
            return ReadFile(file, $" (named by the environment variable {FileVariable})");
        }

        string path = Path;
        return File.Exists(path)
            ? ReadFile(path, " (the saved profile)")
            : throw new FormatException(
                $"No connection is known. Save one with 'ripple connect FILE', or give --connection, {StringVariable} or {FileVariable}; "
                    + $"a host writes one into its data directory, as admin.connection.");
    }

    /// <summary>Reads a connection from a file, if one with this name exists, or from text.</summary>
    /// <exception cref="FormatException">As in <see cref="Resolve"/>.</exception>
    public static ConnectionString Read(string fileOrText)
    {
        ArgumentNullException.ThrowIfNull(fileOrText);
        if (File.Exists(fileOrText))
        {
            return ReadFile(fileOrText, "");
        }

        // Text meant as a connection string must not be echoed as the path of a missing file.
        return fileOrText.Contains('=', StringComparison.Ordinal)
            ? Parse(fileOrText, "The connection string")
            : throw new FormatException(
                $"There is no file '{fileOrText}', and it is no connection string either. Give the path of a connection file.");
    }

    /// <summary>Saves a connection as the profile, secret included, replacing any earlier one.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to the file is denied.</exception>
    public void Save(ConnectionString connection)
    {
        ArgumentNullException.ThrowIfNull(connection);
        string path = Path;
        string folder = System.IO.Path.GetDirectoryName(path)!;
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(folder);
        }
        else
        {
            Directory.CreateDirectory(folder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        connection.Write(path);
    }

    private static ConnectionString ReadFile(string path, string origin)
    {
        try
        {
            return Parse(File.ReadAllText(path).Trim(), $"'{path}'{origin}");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new FormatException($"'{path}'{origin} cannot be read: {e.Message} Give a file that this user may read.", e);
        }
    }

    private static ConnectionString Parse(string text, string origin) =>
        ConnectionString.TryParse(text, out ConnectionString? connection, out string error)
            ? connection!
            : throw new FormatException($"{origin} is not good. {error}");

    private string Folder(string variable) => _environment(variable) is { Length: > 0 } folder
        ? folder
        : throw new FormatException(
            $"The environment variable {variable} is not set, so that there is no place for a profile. Set it, or give --connection.");
}
