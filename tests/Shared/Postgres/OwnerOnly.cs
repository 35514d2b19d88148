namespace Ripple.Tests.Shared.Postgres;

/// <summary>Files with secrets, as a host demands them: others than their owner may not read them, from their creation on.</summary>
internal static class OwnerOnly
{
    /// <summary>Writes a text file, such as one that names a database; one that is there is replaced.</summary>
    public static void Write(string path, string text)
    {
        File.Delete(path);
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        using var writer = new StreamWriter(path, options);
        writer.Write(text);
    }

    /// <summary>Copies a text file, such as a cluster key into the directory of a further host, which is made if missing.</summary>
    public static void Copy(string from, string to)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(to)!);
        Write(to, File.ReadAllText(from));
    }
}
