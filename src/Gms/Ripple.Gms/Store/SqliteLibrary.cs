using System.Runtime.InteropServices;
using SQLitePCL;

namespace Ripple.Gms.Store;

/// <summary>
/// Which SQLite this process uses: the one that comes with the program, unless another was loaded before the first store was opened. For
/// the whole process. Any thread.
/// </summary>
internal static class SqliteLibrary
{
    /// <summary>The oldest that the store was built for, as SQLite numbers them; what comes with the program is newer.</summary>
    public const int VersionMin = 3_035_005;

    private const string ImportName = "e_sqlite3";
    private static readonly Lock Guard = new();
    private static bool _isInUse;

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int AskNumber();

    /// <summary>Uses another SQLite: the system's, which is kept up to date with it.</summary>
    /// <param name="file">A shared library: a path, or a name that the system's loader finds.</param>
    /// <exception cref="StoreException">It cannot be loaded, is no SQLite, is too old, or was made for one thread; the message says which
    /// and what to do.</exception>
    /// <exception cref="InvalidOperationException">A store was opened before, or this was called before.</exception>
    public static void Use(string file)
    {
        if (string.IsNullOrWhiteSpace(file))
        {
            throw new StoreException("No SQLite is named. Name a shared library of this system, such as libsqlite3.so.0.");
        }

        lock (Guard)
        {
            if (_isInUse)
            {
                throw new InvalidOperationException("This process has a SQLite in use already. Name another one before a store is opened.");
            }

            nint library = Load(file);
            NativeLibrary.SetDllImportResolver(
                typeof(SQLite3Provider_e_sqlite3).Assembly, (name, _, _) => name == ImportName ? library : 0);
            _isInUse = true;
            Batteries_V2.Init();
        }
    }

    /// <summary>Called before the first use: takes the SQLite that comes with the program, unless another one was named.</summary>
    public static void Begin()
    {
        lock (Guard)
        {
            if (!_isInUse)
            {
                _isInUse = true;
                Batteries_V2.Init();
            }
        }
    }

    private static nint Load(string file)
    {
        nint library;
        try
        {
            library = NativeLibrary.Load(file);
        }
        catch (Exception e) when (e is DllNotFoundException or BadImageFormatException)
        {
            throw new StoreException(
                $"SQLite cannot be loaded from '{file}': {e.Message.ReplaceLineEndings(" ")} "
                    + "Name a shared library of this system, such as libsqlite3.so.0.",
                e);
        }

        if (!NativeLibrary.TryGetExport(library, "sqlite3_libversion_number", out nint version)
            || !NativeLibrary.TryGetExport(library, "sqlite3_threadsafe", out nint threadSafe))
        {
            throw new StoreException($"'{file}' is no SQLite. Name a shared library of SQLite, such as libsqlite3.so.0.");
        }

        int number = Ask(version);
        if (number < VersionMin)
        {
            throw new StoreException(
                $"'{file}' is SQLite {Text(number)}, and the store needs {Text(VersionMin)} or a newer one. Leave the option out: that is "
                    + "what comes with this program.");
        }

        return Ask(threadSafe) != 0
            ? library
            : throw new StoreException(
                $"'{file}' is a SQLite made for one thread (SQLITE_THREADSAFE=0), and the store has several. Name another one, or leave "
                    + "the option out.");
    }

    private static int Ask(nint function) => Marshal.GetDelegateForFunctionPointer<AskNumber>(function)();

    private static string Text(int number) => $"{number / 1_000_000}.{number / 1_000 % 1_000}.{number % 1_000}";
}
