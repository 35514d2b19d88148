#pragma warning disable CA1019, CA1052, CA1034, CA1813, CA1018, IDE0060
namespace System.Management.Automation;

// As much of PowerShell's engine as the cmdlets use, by its names, so that they compile over it unchanged.

[AttributeUsage(AttributeTargets.Class)]
public sealed class CmdletAttribute(string verbName, string nounName) : Attribute
{
    public string VerbName { get; } = verbName;

    public string NounName { get; } = nounName;

    public string DefaultParameterSetName { get; set; } = string.Empty;

    public bool SupportsShouldProcess { get; set; }

    public ConfirmImpact ConfirmImpact { get; set; } = ConfirmImpact.Medium;
}

[AttributeUsage(AttributeTargets.Property, AllowMultiple = true)]
public sealed class ParameterAttribute : Attribute
{
    public const string AllParameterSets = "__AllParameterSets";

    public bool Mandatory { get; set; }

    public int Position { get; set; } = int.MinValue;

    public string ParameterSetName { get; set; } = AllParameterSets;

    public bool ValueFromPipeline { get; set; }

    public bool ValueFromPipelineByPropertyName { get; set; }
}

[AttributeUsage(AttributeTargets.Property)]
public sealed class AliasAttribute(params string[] aliasNames) : Attribute
{
    public string[] AliasNames { get; } = aliasNames;
}

[AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
public sealed class OutputTypeAttribute(params Type[] type) : Attribute
{
    public Type[] Type { get; } = type;
}

[AttributeUsage(AttributeTargets.Property)]
public sealed class ArgumentCompleterAttribute(Type type) : Attribute
{
    public Type Type { get; } = type;
}

[AttributeUsage(AttributeTargets.Property)]
public sealed class SupportsWildcardsAttribute : Attribute;

[AttributeUsage(AttributeTargets.Property)]
public sealed class ValidateNotNullOrEmptyAttribute : Attribute;

[AttributeUsage(AttributeTargets.Property)]
public sealed class ValidateNotNullAttribute : Attribute;

[AttributeUsage(AttributeTargets.Property)]
public sealed class AllowNullAttribute : Attribute;

[AttributeUsage(AttributeTargets.Property)]
public sealed class AllowEmptyStringAttribute : Attribute;

[AttributeUsage(AttributeTargets.Property)]
public sealed class AllowEmptyCollectionAttribute : Attribute;

[AttributeUsage(AttributeTargets.Property)]
public sealed class ValidateSetAttribute(params string[] validValues) : Attribute
{
    public string[] ValidValues { get; } = validValues;
}

[AttributeUsage(AttributeTargets.Property)]
public sealed class ValidateRangeAttribute(object minRange, object maxRange) : Attribute
{
    public object MinRange { get; } = minRange;

    public object MaxRange { get; } = maxRange;
}

public enum ConfirmImpact
{
    None,
    Low,
    Medium,
    High,
}

public static class VerbsCommon
{
    public const string Get = "Get";
    public const string New = "New";
    public const string Remove = "Remove";
    public const string Set = "Set";
    public const string Undo = "Undo";
    public const string Watch = "Watch";
}

public static class VerbsCommunications
{
    public const string Connect = "Connect";
    public const string Send = "Send";
}

public static class VerbsData
{
    public const string Compare = "Compare";
    public const string Export = "Export";
    public const string Import = "Import";
    public const string Publish = "Publish";
}

public static class VerbsLifecycle
{
    public const string Wait = "Wait";
}

public static class VerbsSecurity
{
    public const string Grant = "Grant";
    public const string Revoke = "Revoke";
}
